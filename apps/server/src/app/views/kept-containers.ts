import type { KeptContainer } from '@beadloom/core/api/executions/container-api.ts'
import { fetchRef } from '@beadloom/core/records/branch.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { leftText, namesKept, withoutKept } from '@beadloom/core/execution/left-text.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'

export type KeptReads = Pick<Store, 'keptContainers' | 'execution'>

/** Kept containers of an execution, or of all. */
export const keptViews = (store: KeptReads, of?: ExecutionId): KeptContainer[] =>
  store.keptContainers(of).map(({ name, project, owner, since, why, bytes, tries, nextTryAt }) => {
    const bead = (owner && store.execution(owner)?.bead) ?? ''
    return { name, project, execution: owner ?? '', bead, since, why, bytes, tries, nextTryAt }
  })

type Ended = Pick<Execution, 'id' | 'project' | 'detail' | 'endedAt'>

/** An end's sentence may name a kept container. Once that is gone, it tells the fate of the work in it instead. */
export function endNow(
  { store, hub }: { store: Pick<Store, 'lastEvent'>; hub: Pick<Hub, 'path'> },
  { id, project, detail, endedAt }: Ended,
  kept: readonly KeptContainer[],
): string {
  const gone = namesKept(detail).filter((name) => !kept.some((one) => one.name === name))
  if (gone.length === 0) return detail
  const saved = store.lastEvent(id, 'saved')
  const { ref } = (saved !== null && saved.at >= (endedAt ?? 0) ? saved.data : {}) as { ref?: string }
  const isSaved = leftText({ refs: ref === undefined ? [] : [ref], containers: [] }, (one) =>
    fetchRef(hub.path(project), one),
  )
  // The last warning may be older, and say that the container is kept; a discarded or lost container has its own.
  const { text = '' } = (store.lastEvent(id, 'warning')?.data ?? {}) as { text?: string }
  const isLost = (name: string) => text.includes(` ${name} was `)
  return gone.reduce((told, name) => withoutKept(told, name, isLost(name) ? ` ${text}` : isSaved), detail)
}
