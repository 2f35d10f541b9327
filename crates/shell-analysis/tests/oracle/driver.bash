# Runs each text of /in in a process group of its own, with stubs in place of every command, and reports
# on descriptor 200 what bash really ran; on 198 goes the shell's own trace. See sandbox.rs.
#
# Input, each field ended by NUL: id, status of the stubs, whether to ask for the syntax, definitions, text.
# Output, each field ended by NUL: R id directory count words... (ran), B id (ran, too long to report),
# with 1d for each newline; N id status (syntax), C id count (processes of the sandbox at the end), E id (over), K id (killed by the
# clock). Trace: a record separator (maybe repeated), id, unit separator, directory, unit separator, words as
# `set -x` quotes them, a newline.

ulimit -u "$LIMIT" -v 600000 -f 2048 -c 0
exec 200>&1 198>&2 >/dev/null 2>&1 </dev/null
# A pipe that nobody writes to: reading from it with a time limit sleeps without a program.
exec 199<> <(:)
mapfile -d '' -t __in </in
for __at in a.txt 'b c' .hidden src/main.rs src/lib.rs src/in/deep sub/-x 'd e/f'; do : >"/w/$__at"; done
__clock=$CLOCK __driver=1
unset BASH LIMIT CLOCK OLDPWD
# `command`, not `builtin`, keeps the redirections of `exec`.
builtin source /.sh/prelude

for (( __at = 0; __at + 5 <= ${#__in[@]}; __at += 5 )); do
  __id=${__in[__at]} __rc=${__in[__at + 1]} __defs=${__in[__at + 3]} __text=${__in[__at + 4]}
  if [[ ${__in[__at + 2]} == 1 ]]; then
    /.sh/bash --norc -n -c "$__text"
    builtin printf '%s\0' N "$__id" "$?" >&200
  fi
  builtin printf '%s %s\n' "$__id" "$__rc" >/id/now
  # The pipe ends when the last process of the job is gone: background jobs and substitutions too.
  command exec 202< <(
    builtin set -m
    {
      command exec 202<&- 199<&- >/dev/null
      builtin set +m
      builtin ulimit -t 1
      builtin cd /w
      # A shell of its own, as texts are run: in a subshell an error that ends a line would end everything.
      builtin unset OLDPWD
      BASH_ENV=/.sh/prelude __defs=$__defs PATH=/nonexistent builtin exec -a bash /.sh/bash --norc --noprofile -c "$__text"
    } 203>&1 &
    builtin printf '%s\0' "$!"
  )
  IFS= builtin read -r -d '' -t 5 -u 202 __group
  __how=E
  IFS= builtin read -r -d '' -t "$__clock" -u 202 __rest
  (( $? > 128 )) && __how=K
  if [[ $__how == K ]]; then
    __rest=(/proc/[0-9]*)
    builtin printf '%s\0' C "$__id" "${#__rest[@]}" >&200
    __rest=
    for __try in 1 2 3 4 5 6 7 8 9 10; do
      builtin kill -9 -- "-$__group" || break
      builtin read -t 0.02 -u 199
    done
  fi
  command exec 202<&-
  builtin printf '%s\0' "$__how" "$__id" >&200
done
