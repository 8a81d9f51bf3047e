#!/usr/bin/env bash
# Makes the Debian packages, unpacks them into an empty folder and uses what is there.
# Usage: unpack_and_run.sh CPACK BUILD_FOLDER WORK_FOLDER VERSION
set -euo pipefail
cpack=$1 build=$2 work=$3 version=$4

rm -rf "$work"
mkdir -p "$work/root"
"$cpack" --config "$build/CPackConfig.cmake" -B "$work" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip > "$work/log"

fail() {
  echo "$*" >&2
  exit 1
}
package() { ls "$work/$1_$version"_*.deb; }
control() { dpkg-deb -f "$(package "$1")" "$2"; }

library=libspacedyn${version%.*}
for name in "$library" libspacedyn-dev spacedyn-models spacedyn; do
  [[ "$(control "$name" Package)" == "$name" ]] || fail "no package $name"
done
[[ "$(control spacedyn Depends)" == *"$library (= $version), spacedyn-models (= $version)"* ]] ||
  fail "spacedyn does not depend on its library and models of the same version"
[[ "$(control "$library" Depends)" == *libyaml-cpp* ]] || fail "$library does not name the libraries it needs"
# what is loaded when it is needed is needed, too
[[ "$(control "$library" Depends)" == *libhdf5* ]] || fail "$library does not name HDF5"
[[ "$(control spacedyn Depends)" == *libcpp-httplib* ]] || fail "spacedyn does not name the web server"
[[ "$(control spacedyn-models Architecture)" == all ]] || fail "models are of one architecture"

for file in "$work"/*.deb; do dpkg-deb -x "$file" "$work/root"; done
root=$work/root/usr
# into variables: a grep that has found its line would end the writer of a pipe by a signal
headers=$(objdump -p "$root"/lib/libspacedyn.so.?.?)
grep -q "SONAME *libspacedyn.so.${version%.*}$" <<< "$headers" ||
  fail "the soname is not that of the version"

dpkg-deb --ctrl-tarfile "$(package "$library")" | tar -xO ./triggers | grep -q ldconfig ||
  fail "the library is not made known to the loader"
gzip -t "$root"/share/man/man1/spacedyn*.1.gz || fail "manual pages are not compressed"
gzip -cd "$root/share/doc/$library/changelog.gz" | grep "Keep a Changelog" > /dev/null || fail "the changes are not told"

cd "$work"
said=$("$root/bin/spacedyn" --version)
[[ "$said" == "spacedyn $version"* ]] || fail "the program does not say its version"
"$root/bin/spacedyn" check "$root/share/spacedyn/models/scenarios/ets7_coast.yaml"
# As Debian has it: the library is found in /lib, which is a link to /usr/lib; its reader of results is not there.
ln -s usr/lib "$work/root/lib"
LD_LIBRARY_PATH="$work/root/lib" "$root/bin/spacedyn" simulate -q --set duration=1 -o "$work/run" \
  "$root/share/spacedyn/models/scenarios/ets7_coast.yaml"
if [[ -d "$root/lib/python3/dist-packages/spacedyn" ]]; then
  LD_LIBRARY_PATH="$root/lib" PYTHONPATH="$root/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -c "
import spacedyn as sd
robot = sd.load_model(str(sd.MODELS / 'robots' / 'ets7.yaml'))
assert sd.generalized_jacobian(robot, sd.State(robot), 'hand').shape == (6, 6)
assert 'dist-packages' in sd.__file__"
fi
