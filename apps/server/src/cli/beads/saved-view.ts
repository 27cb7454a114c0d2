import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { CardGroup } from '@beadloom/core/board/board-groups.ts'
import { parseBoardSearch } from '@beadloom/core/board/board-search.ts'
import { shownCards } from '@beadloom/core/board/shown-cards.ts'
import { closestWord } from '@beadloom/core/text/closest-word.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { CliError } from '../exit-code.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

/** Finds a view by its name, in any case: the project's own before one for all projects. Throws `CliError`. */
export async function savedView(api: ApiClient, project: string, name: string): Promise<SavedView> {
  const { items } = await api.get<{ items: SavedView[] }>(`/api/projects/${segment(project)}/views`)
  const meant = name.trim().toLowerCase()
  const found = items.find((view) => view.name.toLowerCase() === meant)
  if (found !== undefined) return found
  throw new CliError(noView(project, name, items))
}

export function noView(project: string, name: string, views: readonly SavedView[]): string {
  const given = `there is no saved view "${oneLiner(name)}" in ${oneLiner(project)}`
  if (views.length === 0) return `${given}, nor any other. Save one on the board: press f and v there.`
  const names = views.map(({ name: one, forAll }) => `"${oneLiner(one)}"${forAll ? ' (all projects)' : ''}`)
  const close = closestWord(
    name.trim(),
    views.map((view) => view.name),
  )
  return `${given}. ${close === null ? '' : `Did you mean "${oneLiner(close)}"? `}There ${names.length === 1 ? 'is' : 'are'}: ${names.join(', ')}.`
}

/** The cards that the board shows of these beads in this view, group by group. */
export async function cardsInView(
  api: ApiClient,
  project: string,
  { search }: Pick<SavedView, 'search'>,
  cards: readonly BeadCard[],
): Promise<CardGroup[]> {
  const [executions, { queue }] = await Promise.all([
    newestExecutions(api, project, cards),
    api.get<ServerStatus>('/api/status'),
  ])
  const positions = new Map(queue.map(({ execution, position }) => [execution, position]))
  return shownCards({ cards, executions, positions }, parseBoardSearch(Object.fromEntries(new URLSearchParams(search))))
}

/** Reads page by page, the newest first, until every bead's are found. */
async function newestExecutions(
  api: ApiClient,
  project: string,
  cards: readonly BeadCard[],
): Promise<Map<string, ExecutionView>> {
  const wanted = new Set(cards.flatMap(({ execution }) => execution ?? []))
  const found = new Map<string, ExecutionView>()
  const query = new URLSearchParams({ project, limit: '200' })
  while (wanted.size > 0) {
    const { items, next } = await api.get<Page<ExecutionView>>(`/api/executions?${query}`)
    for (const one of items) if (wanted.delete(one.id)) found.set(one.id, one)
    if (next === undefined) break
    query.set('cursor', next)
  }
  return found
}
