import { biome } from './biome.ts'
import type { DigestTool } from './digest-tool.ts'
import { eslint } from './eslint.ts'
import { oxlint } from './oxlint.ts'
import { tsc } from './tsc.ts'
import { vite } from './vite.ts'
import { webpack } from './webpack.ts'

/** Every tool. Of two whose signs stand in the same place, the earlier one of this list comes first in a digest. */
export const digestTools: readonly DigestTool[] = [
  // Compilers and bundlers.
  tsc,
  vite,
  webpack,
  // Linters.
  eslint,
  oxlint,
  biome,
]
