import type { DigestTool } from './digest-tool.ts'

/** Every tool. Of two whose signs stand in the same place, the earlier one of this list comes first in a digest. */
export const digestTools: readonly DigestTool[] = []
