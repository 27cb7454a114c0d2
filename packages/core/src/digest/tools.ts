import type { DigestTool } from './digest-tool.ts'
import { cmake, elixir, gfortran, nim, php } from './tools/any/compilers.ts'
import { junitXml } from './tools/any/junit-xml.ts'
import { make } from './tools/any/make.ts'
import { tap } from './tools/any/tap.ts'
import { catch2 } from './tools/c/catch2.ts'
import { clang, gcc } from './tools/c/gcc.ts'
import { googletest } from './tools/c/googletest.ts'
import { sanitizers } from './tools/c/sanitizers.ts'
import { goBuild, goVet } from './tools/go/go-build.ts'
import { goTest } from './tools/go/go-test.ts'
import { javac } from './tools/java/javac.ts'
import { maven } from './tools/java/maven.ts'
import { ava } from './tools/javascript/ava.ts'
import { biome } from './tools/javascript/biome.ts'
import { bunTest } from './tools/javascript/bun.ts'
import { eslint } from './tools/javascript/eslint.ts'
import { jest } from './tools/javascript/jest.ts'
import { mocha } from './tools/javascript/mocha.ts'
import { nodeTest } from './tools/javascript/node-test.ts'
import { oxlint } from './tools/javascript/oxlint.ts'
import { playwright } from './tools/javascript/playwright.ts'
import { tsc } from './tools/javascript/tsc.ts'
import { vite } from './tools/javascript/vite.ts'
import { vitest } from './tools/javascript/vitest.ts'
import { webpack } from './tools/javascript/webpack.ts'
import * as otherLinters from './tools/lint/other-linters.ts'
import * as pythonLinters from './tools/lint/python-linters.ts'
import { shellcheck } from './tools/lint/shellcheck.ts'
import * as webLinters from './tools/lint/web-linters.ts'
import { mypy } from './tools/python/mypy.ts'
import { pytest } from './tools/python/pytest.ts'
import { ruff } from './tools/python/ruff.ts'
import { unittest } from './tools/python/unittest.ts'
import { cargoBuild, clippy } from './tools/rust/cargo-build.ts'
import { cargoNextest } from './tools/rust/cargo-nextest.ts'
import { cargoTest } from './tools/rust/cargo-test.ts'
import { bats } from './tools/tests/bats.ts'
import { dotnetTest } from './tools/tests/dotnet-test.ts'
import { swiftTest } from './tools/tests/swift-test.ts'
import * as listingRunners from './tools/tests/listing-runners.ts'
import * as blockRunners from './tools/tests/block-runners.ts'
import * as specRunners from './tools/tests/spec-runners.ts'

/** Every tool. If two have signs in the same place, the earlier one in this list comes first in a digest. */
export const digestTools: readonly DigestTool[] = [
  // Compilers and bundlers.
  tsc,
  vite,
  webpack,
  goBuild,
  cargoBuild,
  javac,
  gcc,
  clang,
  make,
  cmake,
  gfortran,
  elixir,
  php,
  nim,
  // Linters.
  eslint,
  oxlint,
  biome,
  ruff,
  mypy,
  goVet,
  clippy,
  shellcheck,
  ...Object.values(webLinters),
  ...Object.values(pythonLinters),
  ...Object.values(otherLinters),
  // Test runners.
  pytest,
  unittest,
  goTest,
  cargoTest,
  cargoNextest,
  maven,
  googletest,
  sanitizers,
  catch2,
  bats,
  swiftTest,
  dotnetTest,
  ...Object.values(listingRunners),
  ...Object.values(blockRunners),
  ...Object.values(specRunners),
  // Test runners of JavaScript, and formats that many runners print.
  vitest,
  jest,
  mocha,
  nodeTest,
  playwright,
  ava,
  bunTest,
  tap,
  junitXml,
]
