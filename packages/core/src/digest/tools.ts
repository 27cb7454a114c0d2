import { biome } from './tools/biome.ts'
import { cargoBuild, clippy } from './tools/cargo-build.ts'
import { cargoTest } from './tools/cargo-test.ts'
import type { DigestTool } from './digest-tool.ts'
import { eslint } from './tools/eslint.ts'
import { gcc, clang } from './tools/gcc.ts'
import { goBuild, goVet } from './tools/go-build.ts'
import { goTest } from './tools/go-test.ts'
import { javac } from './tools/javac.ts'
import { jest } from './tools/jest.ts'
import { junitXml } from './tools/junit-xml.ts'
import { make } from './tools/make.ts'
import { maven } from './tools/maven.ts'
import { mocha } from './tools/mocha.ts'
import { mypy } from './tools/mypy.ts'
import { nodeTest } from './tools/node-test.ts'
import { oxlint } from './tools/oxlint.ts'
import { playwright } from './tools/playwright.ts'
import { pytest } from './tools/pytest.ts'
import { ruff } from './tools/ruff.ts'
import { tap } from './tools/tap.ts'
import { tsc } from './tools/tsc.ts'
import { unittest } from './tools/unittest.ts'
import { vite } from './tools/vite.ts'
import { vitest } from './tools/vitest.ts'
import { webpack } from './tools/webpack.ts'

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
