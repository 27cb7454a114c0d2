import type { DigestTool } from './digest-tool.ts'

/** Every tool, in the order of their blocks in a digest: what is built first fails first. One line each. */
export const digestTools: readonly DigestTool[] = []
