#!/.sh/bash -p
# What launchers find in place of programs: reports like the stubs of prelude.bash.
IFS=' ' read -r id rc </id/now
all="$*"
if (( ${#all} > 900 || $# > 400 )); then printf '%s\0' B "$id" >&200
else printf '%s\0' R "$id" "$PWD" "$(($# + 1))" "${0##*/}" "${@//$'\n'/$'\x1d'}" >&200
fi
case ${0##*/} in
  bash|sh) BASH_ENV=/.sh/prelude PATH=/nonexistent exec -a bash /.sh/bash --norc --noprofile "$@";;
esac
exit "$rc"
