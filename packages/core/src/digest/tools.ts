import { biome } from './biome.ts'
import { cargoBuild, clippy } from './cargo-build.ts'
import { cargoTest } from './cargo-test.ts'
import type { DigestTool } from './digest-tool.ts'
import { eslint } from './eslint.ts'
import { gcc, clang } from './gcc.ts'
import { goBuild, goVet } from './go-build.ts'
import { goTest } from './go-test.ts'
import { javac } from './javac.ts'
import { jest } from './jest.ts'
import { junitXml } from './junit-xml.ts'
import { make } from './make.ts'
import { maven } from './maven.ts'
import { mocha } from './mocha.ts'
import { mypy } from './mypy.ts'
import { nodeTest } from './node-test.ts'
import { oxlint } from './oxlint.ts'
import { playwright } from './playwright.ts'
import { pytest } from './pytest.ts'
import { ruff } from './ruff.ts'
import { tap } from './tap.ts'
import { tsc } from './tsc.ts'
import { unittest } from './unittest.ts'
import { vite } from './vite.ts'
import { vitest } from './vitest.ts'
import { webpack } from './webpack.ts'

/** Every tool. Of two whose signs stand in the same place, the earlier one of this list comes first in a digest. */
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
  // Runners of tests.
  pytest,
  unittest,
  goTest,
  cargoTest,
  maven,
  // Test runners of JavaScript, and what test runners have in common.
  vitest,
  jest,
  mocha,
  nodeTest,
  playwright,
  tap,
  junitXml,
]
