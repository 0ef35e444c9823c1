#!/usr/bin/env bash
# setup.sh DIR: builds `faiss-node` in DIR/node_modules against Debian's FAISS. Set PLANLOOM_FAISS=DIR to use it.
# The package's own install step downloads a binary or clones FAISS, which fails without access to GitHub; the sources of the binding are in the package.
set -euo pipefail
[ $# = 1 ] || { echo "usage: setup.sh DIR" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
if [ ! -e /usr/include/faiss/Index.h ]; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get -o DPkg::Lock::Timeout=300 update -qq
  $sudo apt-get -o DPkg::Lock::Timeout=300 install -y -qq libfaiss-dev libopenblas-dev g++ >/dev/null
fi
[ -e package.json ] || echo '{"private":true}' > package.json
npm install --ignore-scripts --no-audit --no-fund faiss-node@0.5.1 node-addon-api@6 node-api-headers@1 >/dev/null
cd node_modules/faiss-node
mkdir -p build/Release
# FAISS 1.7.3 (Debian 12) has Index::idx_t; the binding was written for faiss::idx_t of 1.7.4.
printf '#include <cstdint>\nnamespace faiss { using idx_t = std::int64_t; }\n' > build/idx.h
alias=()
grep -q 'using idx_t' /usr/include/faiss/MetricType.h || alias=(-include build/idx.h)
g++ -O2 -shared -fPIC -std=c++17 -DNAPI_VERSION=8 -DBUILDING_NODE_EXTENSION "${alias[@]}" -I ../node-addon-api -I ../node-api-headers/include \
  src/faiss.cc -lfaiss -lopenblas -fopenmp -o build/Release/faiss-node.node
cd ../../..
node -e 'const { IndexFlatIP } = require("faiss-node"); const i = new IndexFlatIP(2); i.add([1, 0, 0, 1]); if (i.search([1, 0], 1).labels[0] !== 0) process.exit(1)'
echo "faiss-node works; use it with PLANLOOM_FAISS=$PWD"
