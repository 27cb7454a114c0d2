import { biome } from './tools/javascript/biome.ts'
import { cargoBuild, clippy } from './tools/rust/cargo-build.ts'
import { cargoTest } from './tools/rust/cargo-test.ts'
import type { DigestTool } from './digest-tool.ts'
import { eslint } from './tools/javascript/eslint.ts'
import { gcc, clang } from './tools/c/gcc.ts'
import { goBuild, goVet } from './tools/go/go-build.ts'
import { goTest } from './tools/go/go-test.ts'
import { javac } from './tools/java/javac.ts'
import { jest } from './tools/javascript/jest.ts'
import { junitXml } from './tools/any/junit-xml.ts'
import { make } from './tools/any/make.ts'
import { maven } from './tools/java/maven.ts'
import { mocha } from './tools/javascript/mocha.ts'
import { mypy } from './tools/python/mypy.ts'
import { nodeTest } from './tools/javascript/node-test.ts'
import { oxlint } from './tools/javascript/oxlint.ts'
import { playwright } from './tools/javascript/playwright.ts'
import { pytest } from './tools/python/pytest.ts'
import { ruff } from './tools/python/ruff.ts'
import { tap } from './tools/any/tap.ts'
import { tsc } from './tools/javascript/tsc.ts'
import { unittest } from './tools/python/unittest.ts'
import { vite } from './tools/javascript/vite.ts'
import { vitest } from './tools/javascript/vitest.ts'
import { webpack } from './tools/javascript/webpack.ts'

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
  // Linters.
  eslint,
  oxlint,
  biome,
  ruff,
  mypy,
  goVet,
  clippy,
  // Test runners.
  pytest,
  unittest,
  goTest,
  cargoTest,
  maven,
  // Test runners of JavaScript, and formats that many runners print.
  vitest,
  jest,
  mocha,
  nodeTest,
  playwright,
  tap,
  junitXml,
]
