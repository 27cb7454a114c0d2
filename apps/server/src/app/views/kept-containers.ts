import type { KeptContainer, SavedContainer } from '@beadloom/core/api/executions/container-api.ts'
import { fetchRef } from '@beadloom/core/records/branch.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { leftText, namesKept, withoutKept } from '@beadloom/core/execution/left-text.ts'
import type { ContainerApi } from '../../http/ports.ts'
import { Problem } from '../../ports/problem.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'

export type KeptContainerDeps = {
  store: Pick<Store, 'keptContainers' | 'execution'>
  leftContainers: {
    /** The ref that now has its work, why it is still kept, or that it is lost; null: no such container is kept. */
    save: (name: string) => Promise<{ saved: string | null } | { kept: string } | { lost: string } | null>
    /** False: there is no such container that is kept. */
    discard: (name: string) => Promise<boolean>
  }
}

/** Containers that are kept, and people's actions on them. */
export function containerApi({ store, leftContainers }: KeptContainerDeps): ContainerApi {
  return {
    list: () => ({ items: keptViews(store) }),
    async save(name): Promise<SavedContainer | Problem> {
      const tried = await leftContainers.save(name)
      if (tried === null) return notKept(name)
      if ('saved' in tried) return tried
      if ('lost' in tried) return new Problem(404, 'lost', tried.lost)
      return new Problem(409, 'still_kept', `What ${name} holds could not be saved: ${tried.kept}`)
    },
    async discard(name) {
      if (!(await leftContainers.discard(name))) return notKept(name)
    },
  }
}

/** Kept containers of an execution, or of all. */
export const keptViews = (store: KeptContainerDeps['store'], of?: ExecutionId): KeptContainer[] =>
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

const notKept = (name: string) =>
  new Problem(404, 'not_found', `there is no container ${name} that is kept; "beadloom containers" lists them`)
