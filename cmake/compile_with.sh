# compile_with.sh CLANG [LAUNCHER…] COMPILER ARGUMENT…: calls clang in place of the compiler, the word that ends in "++".
# A precompiled header of before, which clang would read, is removed. Options meant for g++ say nothing to clang; times of
# files in precompiled headers would keep caches from using them.
clang=$1
shift
for word in "$@"; do
  shift
  case $word in
    *++) word=$clang ;;
    *.gch) rm -f "$word" ;;
  esac
  set -- "$@" "$word"
done
exec "$@" -Qunused-arguments -Wno-unknown-warning-option -Wno-overlength-strings -Wno-sign-conversion \
  -Xclang -fno-pch-timestamp
