# Stubs for every command, in the bash of each text and in every bash that it starts (by BASH_ENV). A command reports its words and its directory on descriptor 200; what cannot be
# shadowed (`break`, `local`, `shift`...) is seen by the trace on descriptor 198. See driver.bash.

builtin unset BASH_ENV
PATH=/nonexistent

__log () {
  local IFS=
  local all="$*"
  if (( ${#all} > 900 || $# > 400 )); then builtin printf "%s\0" B "$__id" >&200
  else # Without newlines, at which bash would write a record in pieces.
     builtin printf "%s\0" R "$__id" "$PWD" "$#" "${@//$'\n'/$'\x1d'}" >&200
  fi
}

# A program: real launchers and shells run, in this process, with stubs for what they start.
__program () {
  __log "$@"
  case ${1-} in
    bash|sh)
      # Not by the name of `sh`, which reads no BASH_ENV.
      BASH_ENV=/.sh/prelude builtin exec -a bash /.sh/bash --norc --noprofile "${@:2}";;
    env|xargs|find|timeout|nice|nohup|setsid|ionice|flock|taskset|chrt)
      PATH=/stub:/launch builtin exec "/launch/$1" "${@:2}";;
    ls) (( $# > 1 )) || builtin printf '%s\n' *;;
  esac
  return "$__rc"
}
command_not_found_handle () { local -; builtin set +x; __program "$@"; }

for __n in test "[" true false : kill jobs bg fg disown suspend logout ulimit umask enable times caller \
  history fc bind compgen complete compopt help; do
  builtin eval "function $__n { local -; builtin set +x; __log $__n \"\$@\"; return \$__rc; }"
done
# Programs that texts name often need no process of their own for it.
for __n in $__names; do
  builtin eval "function $__n { local -; builtin set +x; __log $__n \"\$@\"; return \$__rc; }"
done
# Output that the plan may know: text of `echo` and `printf`, and of `cat` without operands.
echo () { local -; builtin set +x; __log echo "$@"; builtin echo "$@"; return $__rc; }
printf () { local -; builtin set +x; __log printf "$@"; builtin printf "$@"; return $__rc; }
cat () {
  local -
  builtin set +x
  __log cat "$@"
  local line
  if (( ! $# )); then
    while IFS= builtin read -r line; do builtin printf "%s\n" "$line"; done
    builtin printf %s "$line"
  fi
  return $__rc
}
exec () {
  local -
  builtin set +x
  __log exec "$@"
  while [[ x ]]; do
    case ${1-} in -[cl]|-cl|-lc) shift;; -a) shift 2 || return 1;; --) shift; break;; -?*) return 2;; *) break;; esac
  done
  (( $# )) || return $__rc
  __program "$@"
  builtin exit
}
builtin readonly -f kill enable __log __program
builtin eval "${__defs-}"
builtin unset __n __names __defs

# The trace: a record for each command; the three hundredth of a process ends its whole group.
BASH_XTRACEFD=198
__stop=([300]=x)
PS4=$'\x1e$__id\x1f$PWD\x1f${__stop[$((++__count))]+$(builtin kill -9 0)}'
if [[ ! -v __driver ]]; then
  builtin read -r __id __rc </id/now
  builtin set -x
fi
