import type { ChangeBead } from '@beadloom/core/api/beads/bead-requests.ts'
import { nameOf } from '@beadloom/core/bead/bead-edit.ts'
import type { Bead, BeadDependency } from '@beadloom/core/records/bead.ts'
import { waitingPath } from '@beadloom/core/bead/waiting-path.ts'
import { waitingTypes } from '@beadloom/core/bead/waiting.ts'
import { Problem } from '../../ports/problem.ts'
import type { Store } from '../../ports/store.ts'
import type { FieldChange } from '../../ports/store/bead-edits.ts'
import { unknownBeads } from '../../app/stored/refusals.ts'

type Change = Omit<ChangeBead, 'status' | 'dismiss'>
type EditStore = Pick<Store, 'beads' | 'listedBead' | 'editBead' | 'acceptanceOf'>

const MOST_LABELS = 100
const MOST_EDGES = 500

/** Changes a bead's texts and fields, all of them or none. Null: done, or there was nothing to do. */
export function editBead(store: EditStore, bead: Bead, change: Change): Problem | null {
  if (Object.keys(change).length === 0) return null
  const text = unreadable[bead.trackerStatus]
  if (text !== undefined) return new Problem(409, 'not_now', `${bead.id} ${text}`)
  const changes: FieldChange[] = []
  for (const part of [textsOf(store, bead, change), labelsOf(bead, change), edgesOf(store, bead, change)]) {
    if (part instanceof Problem) return part
    changes.push(...part)
  }
  const done = store.editBead(bead.project, bead.id, changes)
  return done === null ? null : new Problem(409, 'not_now', done.refused)
}

const unreadable: Readonly<Record<string, string>> = {
  tombstone: 'was deleted in the tracker',
  unreadable: 'cannot be read in the tracker: fix its line there first',
}

function textsOf(store: EditStore, bead: Bead, change: Change): FieldChange[] | Problem {
  const changes: FieldChange[] = []
  const now = {
    title: bead.title,
    description: bead.description,
    acceptance: change.acceptance ? store.acceptanceOf(bead.project, bead.id) : '',
    type: bead.type,
    priority: bead.priority,
  }
  for (const field of ['title', 'description', 'acceptance', 'type', 'priority'] as const) {
    const asked = change[field]
    if (asked === undefined || asked.to === now[field]) continue
    if (asked.was !== now[field]) return changedMeanwhile(bead, field, now[field])
    const value = field === 'title' ? String(asked.to).trim() : asked.to
    changes.push({ field, value })
  }
  return changes
}

const SHORT = 100

function changedMeanwhile({ id }: Bead, field: string, now: string | number): Problem {
  const is = String(now).length > SHORT ? '' : `: it is now ${JSON.stringify(now)}`
  return new Problem(
    409,
    'changed',
    `the ${field} of ${id} was changed by somebody else meanwhile${is}. Look at it, then change it again`,
  )
}

function labelsOf({ labels }: Bead, { labels: asked }: Change): FieldChange[] | Problem {
  if (asked === undefined) return []
  const kept = labels.filter((label) => !asked.remove?.includes(label))
  const value = [...new Set([...kept, ...(asked.add ?? [])])]
  if (value.length > Math.max(MOST_LABELS, labels.length))
    return new Problem(422, 'invalid', `a bead has at most ${MOST_LABELS} labels`)
  return [{ field: 'labels', value }]
}

const withType = ({ dependsOn, type = 'blocks' }: { dependsOn: string; type?: string | undefined }) => ({
  dependsOn,
  type,
})

function edgesOf(store: EditStore, bead: Bead, { dependencies: asked }: Change): FieldChange[] | Problem {
  if (asked === undefined) return []
  const removed = new Set((asked.remove ?? []).map((edge) => nameOf(withType(edge))))
  const kept = bead.dependencies.filter((edge) => !removed.has(nameOf(edge)))
  const there = new Set(kept.map(nameOf))
  const added = (asked.add ?? []).map(withType).filter((edge) => !there.has(nameOf(edge)))
  if (kept.length + added.length > Math.max(MOST_EDGES, bead.dependencies.length))
    return new Problem(422, 'invalid', `a bead has at most ${MOST_EDGES} dependencies`)
  const problem =
    unknownBeads(
      store,
      bead.project,
      added.map(({ dependsOn }) => dependsOn),
    ) ?? circleIn(store, bead, added)
  return (
    problem ?? [
      { field: 'dependencies', value: [...kept, ...new Map(added.map((one) => [nameOf(one), one])).values()] },
    ]
  )
}

/** A bead that waits for itself would never start. */
function circleIn(store: EditStore, bead: Bead, added: readonly BeadDependency[]): Problem | null {
  for (const { dependsOn, type } of added) {
    if (dependsOn === bead.id) return new Problem(422, 'circle', `${bead.id} cannot depend on itself`)
    const path = waitingTypes.has(type) ? waitingPath(store.beads(bead.project), dependsOn, bead.id) : null
    if (path)
      return new Problem(
        422,
        'circle',
        `${bead.id} cannot wait for ${dependsOn}, which waits for it: ${[bead.id, ...path].slice(0, 20).join(' → ')}`,
      )
  }
  return null
}
