import type { Tool, ToolClaim } from '../found.ts'

/** `false`: it is not installed. */
export type OwnToolchains = Partial<Record<Tool, string | false>>

const FILE = { file: 'beadloom.json', line: null }

/** Another compiler needs the same libraries. */
function librariesOf(claims: readonly ToolClaim[], tool: Tool): Pick<ToolClaim, 'libraries'> {
  const libraries = claims.find((claim) => claim.tool === tool)?.libraries
  return libraries === undefined ? {} : { libraries }
}

/** The claims of the repository's files, with `beadloom.json` overriding them. */
export function withOwn(claims: readonly ToolClaim[], own: OwnToolchains): ToolClaim[] {
  const named = Object.entries(own) as [Tool, string | false][]
  return [
    ...claims.filter(({ tool }) => own[tool] === undefined),
    ...named.flatMap(([tool, version]): ToolClaim[] =>
      version === false
        ? []
        : [{ tool, version, least: false, from: FILE, confidence: 'said', ...librariesOf(claims, tool) }],
    ),
  ]
}
