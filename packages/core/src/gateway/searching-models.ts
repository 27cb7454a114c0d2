import type { HostedTool } from './hosted-tools.ts'

/* Some models run tools of their endpoint in every call, whatever the request offers: their names tell. */

/** A part of a name: makers separate parts by a hyphen, a dot or a colon, and routers put the maker in front. */
const part = (words: string): RegExp => new RegExp(String.raw`(?:^|[^a-z\d])(?:${words})(?:$|[^a-z\d])`, 'i')

/**
 * `gpt-5-search-api`, `gpt-4o-search-preview`, `perplexity/sonar-pro`, `o3-deep-research`, `jina-deepsearch-v1`;
 * `:online` of routers, and `…-128k-online`.
 */
const SEARCHES = part(String.raw`online|sonar|(?:web|deep)?search|deep[-_]?research`)
/** `groq/compound-mini`, `compound-beta`: they search, visit pages and run code. */
const COMPOUND = /(?:^|[/:.])compound(?:$|[-_:.@])/i

/** The tools that this model runs by itself. */
export function toolsOfModel(name: string): HostedTool[] {
  if (COMPOUND.test(name)) return ['web_search', 'code_execution']
  return SEARCHES.test(name) ? ['web_search'] : []
}

/** The first of them that is not open; null: the model may be called. */
export const closedToolOf = (name: string, open: readonly HostedTool[]): HostedTool | null =>
  toolsOfModel(name).find((tool) => !open.includes(tool)) ?? null

/** Why a model is not called, with its name in front. */
export const closedModelText = (tool: HostedTool): string =>
  `it runs ${tool} by itself, which the server's owner has not opened for this project ("hostedTools" in config.json)`
