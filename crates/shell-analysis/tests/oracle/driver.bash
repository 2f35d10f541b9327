# Runs each text of /in in a process group of its own, with stubs in place of every command, and reports
# on descriptor 200 what bash really ran. Only bash itself is in the sandbox; see sandbox.rs.
#
# Input, each field ended by NUL: id, status of the stubs, whether to ask for the syntax, definitions, text.
# Output, each field ended by NUL: R id count words... (ran), B id (ran, too long to report), N id status
# (syntax), C id count (processes of the sandbox at the end), E id (over), K id (killed by the clock).

ulimit -u "$LIMIT" -v 600000 -f 2048 -c 0
exec 200>&1 201</in >/dev/null 2>&1 </dev/null
# A pipe that nobody writes to: reading from it with a time limit sleeps without a program.
exec 199<> <(:)
shell=/.sh/bash
unset BASH LIMIT

prelude='
__log () {
  local IFS= LC_ALL=C
  local all="$*"
  if (( ${#all} > 2500 || $# > 600 )); then builtin printf "%s\0" B "$__id" >&200
  else builtin printf "%s\0" R "$__id" "$#" "$@" >&200
  fi
}
command_not_found_handle () { __log "$@"; return $__rc; }
for __n in echo printf test "[" true false : cd pushd popd source . wait kill jobs bg fg disown suspend \
  logout type hash ulimit umask let pwd dirs times enable alias unalias shopt caller history fc bind \
  compgen complete compopt help; do
  builtin eval "function $__n { __log $__n \"\$@\"; return \$__rc; }"
done
# Output that the plan may know: text of `echo`, `printf`, and of `cat` without operands.
echo () { __log echo "$@"; builtin echo "$@"; return $__rc; }
printf () { __log printf "$@"; builtin printf "$@"; return $__rc; }
cat () {
  __log cat "$@"
  local line
  if (( ! $# )); then
    while IFS= builtin read -r line; do builtin printf "%s\n" "$line"; done
    builtin printf %s "$line"
  fi
  return $__rc
}
eval () { __log eval "$@"; builtin eval "$@"; }
trap () { __log trap "$@"; builtin trap "$@"; }
export () { __log export "$@"; builtin export "$@"; }
readonly () { __log readonly "$@"; builtin readonly "$@"; }
unset () { __log unset "$@"; builtin unset "$@"; }
read () { __log read "$@"; builtin read "$@"; }
mapfile () { __log mapfile "$@"; builtin mapfile "$@"; }
readarray () { __log readarray "$@"; builtin readarray "$@"; }
set () { __log set "$@"; case ${1-} in [-+]?*) [[ $1 != -- ]] && builtin set "$@";; esac; return $__rc; }
command () {
  __log command "$@"
  while [[ ${1-} == -p ]]; do shift; done
  [[ ${1-} == -- ]] && shift
  case ${1-} in -*|"") return $__rc;; esac
  "$@"
}
exec () {
  __log exec "$@"
  while [[ x ]]; do case ${1-} in -[cl]|-cl|-lc) shift;; -a) shift 2 || return 1;; --) shift; break;; *) break;; esac; done
  (( $# )) || return $__rc
  "$@"
  builtin exit
}
builtin readonly -f kill enable __log
builtin unset __n
'

job () {
  exec 202<&- 201<&- 199<&-
  set +m
  ulimit -t 1
  cd /w
  __id=$id __rc=$rc
  HOME=/home/u
  unset -f job
  builtin eval "$prelude$defs"
  builtin unset prelude shell defs id rc check OPTIND
  builtin eval "$text"
}

while IFS= read -r -d '' -u 201 id && read -r -d '' -u 201 rc && read -r -d '' -u 201 check &&
  IFS= read -r -d '' -u 201 defs && IFS= read -r -d '' -u 201 text; do
  if [[ $check == 1 ]]; then
    "$shell" --norc -n -c "$text"
    printf '%s\0' N "$id" "$?" >&200
  fi
  # The pipe ends when the last process of the job is gone: background jobs and substitutions too.
  exec 202< <(set -m; job 203>&1 >/dev/null & printf '%s\0' "$!")
  IFS= read -r -d '' -t 5 -u 202 group
  how=E
  IFS= read -r -d '' -t "$CLOCK" -u 202 _
  (( $? > 128 )) && how=K
  if [[ $how == K ]]; then
    set -- /proc/[0-9]*
    printf '%s\0' C "$id" "$#" >&200
    for try in 1 2 3 4 5 6 7 8 9 10; do
      kill -9 -- "-$group" || break
      read -t 0.02 -u 199
    done
  fi
  exec 202<&-
  printf '%s\0' "$how" "$id" >&200
done
