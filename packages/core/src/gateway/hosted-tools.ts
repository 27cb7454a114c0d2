/* Tools that a model's endpoint runs itself: no list of hosts limits them, and they cost more than tokens. */

/** The tools that the server's owner can open. */
export const hostedTools = ['web_search', 'web_fetch', 'code_execution', 'image_generation'] as const
export type HostedTool = (typeof hostedTools)[number]

/** Tools that an endpoint reports as used, opened or not. */
export type HostedUses = Partial<Record<HostedTool | 'file_search' | 'mcp', number>>

/**
 * An opened tool in `config.json`. `projects` null: all. `price`: for one use, in the prices' currency; null: not set.
 */
export type OpenedTool = { projects: readonly string[] | null; price: number | null }
export type OpenedTools = Partial<Record<HostedTool, OpenedTool>>

export const openFor = (opened: OpenedTools, project: string): HostedTool[] =>
  hostedTools.filter((tool) => {
    const one = opened[tool]
    return one !== undefined && (one.projects === null || one.projects.includes(project))
  })

/** List prices of one use in US dollars, if the makers agree on one. Fetched text costs its tokens. */
const listed: Partial<Record<HostedTool, number>> = { web_search: 0.01, web_fetch: 0 }

/** The cost of uses in millionths; `unpriced`: the number of uses without a known price. */
export function costOfUses(
  uses: HostedUses,
  opened: OpenedTools,
  listedCounts: boolean,
): { micros: number; unpriced: string[] } {
  let micros = 0
  const unpriced: string[] = []
  for (const [tool, count] of Object.entries(uses) as [HostedTool, number][]) {
    const price = opened[tool]?.price ?? (listedCounts ? listed[tool] : undefined)
    if (price === undefined) unpriced.push(tool)
    else micros += Math.round(price * count * 1e6)
  }
  return { micros, unpriced }
}

const reported: Readonly<Record<string, keyof HostedUses>> = {
  web_search_requests: 'web_search',
  web_fetch_requests: 'web_fetch',
  code_execution_requests: 'code_execution',
}

/** The counts so far in `server_tool_use` of an answer's usage. */
export function usesIn(serverToolUse: Readonly<Record<string, unknown>>): HostedUses {
  const uses: HostedUses = {}
  for (const [key, tool] of Object.entries(reported)) {
    const count = serverToolUse[key]
    if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) uses[tool] = count
  }
  return uses
}

/** Items of the responses API that an endpoint's own tools produce. */
const items: Readonly<Record<string, keyof HostedUses>> = {
  web_search_call: 'web_search',
  code_interpreter_call: 'code_execution',
  image_generation_call: 'image_generation',
  file_search_call: 'file_search',
  mcp_call: 'mcp',
}
export const toolOfItem = (type: unknown): keyof HostedUses | null =>
  typeof type === 'string' && Object.hasOwn(items, type) ? (items[type] ?? null) : null

/** Blocks of an answer of Anthropic's API, by the tool's name. */
const blocks: Readonly<Record<string, keyof HostedUses>> = {
  web_search: 'web_search',
  web_fetch: 'web_fetch',
  code_execution: 'code_execution',
  bash_code_execution: 'code_execution',
  text_editor_code_execution: 'code_execution',
}
export const toolOfBlock = (type: unknown, name: unknown): keyof HostedUses | null => {
  if (type === 'mcp_tool_use') return 'mcp'
  return type === 'server_tool_use' && typeof name === 'string' && Object.hasOwn(blocks, name)
    ? (blocks[name] ?? null)
    : null
}
