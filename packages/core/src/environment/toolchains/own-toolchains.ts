import type { Tool, ToolClaim } from '../found.ts'

/** `false`: it is not installed. */
export type OwnToolchains = Partial<Record<Tool, string | false>>

/** What the repository's files say, overruled by `beadloom.json`. */
export function withOwn(claims: readonly ToolClaim[], own: OwnToolchains): ToolClaim[] {
  const named = Object.entries(own) as [Tool, string | false][]
  return [
    ...claims.filter(({ tool }) => own[tool] === undefined),
    ...named.flatMap(([tool, version]): ToolClaim[] =>
      version === false
        ? []
        : [{ tool, version, least: false, from: { file: 'beadloom.json', line: null }, confidence: 'said' }],
    ),
  ]
}
