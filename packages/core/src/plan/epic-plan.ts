import type { Bead, BeadDependency, ListedBead } from '../records/bead.ts'
import { isExternal, isMissingOutside } from '../bead/external.ts'
import { isWork } from '../bead/ready.ts'
import { hasEnded, hasVanished, mayHoldBack } from '../bead/waiting.ts'
import { oneLine } from '../text/one-line.ts'
import { circlesIn } from './phases.ts'
import { planBounds, subtaskTypes, type Plan, type Subtask, type SubtaskType } from '../records/plan.ts'
import { pathProblem } from './plan-problems.ts'

type Child = Pick<Bead, 'id' | 'title' | 'description' | 'labels' | 'dependencies'>

/**
 * The plan from an epic's children. `none`: it has no children that are work. `done`: all of them have ended. `known`:
 * the stored plan still matches the open ones. `new`: a plan of the open ones.
 */
export type EpicPlan =
  | { is: 'none' }
  | { is: 'done' }
  | { is: 'known' }
  | { is: 'new'; plan: Plan }
  | { is: 'wrong'; problems: string[] }

/**
 * An epic whose children are beads is a plan already: each open child is a subtask, and phases follow from the edges
 * `blocks` between them.
 *
 * @param stored the newest earlier plan of its children; null: none
 * @param inFull returns a child with its description
 */
export function epicPlan<B extends ListedBead>(
  epic: Pick<Bead, 'id' | 'title' | 'description'>,
  beads: readonly B[],
  stored: Plan | null,
  inFull: (bead: B) => Child,
): EpicPlan {
  const children = childrenOf(epic.id, beads)
  if (children.length === 0) return { is: 'none' }
  const open = children.filter((bead) => !hasEnded(bead))
  if (open.length === 0) return { is: 'done' }
  const subtasks = subtasksOf(open.map(inFull))
  if (stored !== null && stillSays(stored, subtasks)) return { is: 'known' }
  const problems = [...tooMany(epic.id, subtasks), ...circles(subtasks), ...outside(open, beads)]
  if (problems.length > 0) return { is: 'wrong', problems }
  const planMarkdown = epic.description.slice(0, planBounds.markdownLength).toWellFormed()
  return { is: 'new', plan: { goal: textOf(epic, planBounds.goalLength), planMarkdown, subtasks } }
}

/** Beads that are work and have this one as their parent, in the order of the list. */
export const childrenOf = <B extends ListedBead>(epic: string, beads: readonly B[]): B[] =>
  beads.filter(
    (bead) =>
      isWork(bead) && bead.dependencies.some(({ type, dependsOn }) => type === 'parent-child' && dependsOn === epic),
  )

const blocking: ReadonlySet<string> = new Set(['blocks', 'conditional-blocks'])

function subtasksOf(open: readonly Child[]): Subtask[] {
  const ids = new Set<string>(open.map(({ id }) => id))
  return open.map((bead) => ({
    id: bead.id,
    title: oneLine(bead.title).slice(0, planBounds.titleLength).toWellFormed() || bead.id,
    description: textOf(bead, planBounds.descriptionLength),
    type: typeIn(bead.labels),
    dependsOn: blockersOf(bead).filter((id) => ids.has(id)),
    filesTouched: filesIn(bead.description),
  }))
}

const blockersOf = ({ dependencies }: Pick<Bead, 'dependencies'>): string[] => [
  ...new Set(dependencies.flatMap(({ type, dependsOn }) => (blocking.has(type) ? [dependsOn] : []))),
]

const textOf = ({ title, description }: Pick<Bead, 'title' | 'description'>, longest: number): string =>
  (description.trim() || oneLine(title)).slice(0, longest).toWellFormed()

/** The type in a label; without one it is implemented like any bead. */
const typeIn = (labels: readonly string[]): SubtaskType => subtaskTypes.find((type) => labels.includes(type)) ?? 'impl'

/**
 * A line such as "Files: src/a.ts, docs/". Without it the files are unknown, and the subtasks of a phase work at the
 * same time.
 */
function filesIn(description: string): string[] {
  const [, list = ''] = /^[ \t*_]*files[ \t*_]*:[ \t*_]*(.+)$/im.exec(description) ?? []
  const paths = list.split(/[,\s]+/).map((path) => path.replace(/^`|`$/g, ''))
  return [...new Set(paths)].filter((path) => path !== '' && pathProblem(path) === null).slice(0, planBounds.files)
}

/** Whether the stored plan still matches; beads that have ended since do not count. */
function stillSays(stored: Plan, open: readonly Subtask[]): boolean {
  const ids = new Set(open.map(({ id }) => id))
  const known = new Map(stored.subtasks.map((one) => [one.id, one]))
  return open.every((one) => {
    const before = known.get(one.id)
    const dependsOn = before?.dependsOn.filter((id) => ids.has(id)) ?? []
    return before !== undefined && JSON.stringify({ ...before, dependsOn }) === JSON.stringify(one)
  })
}

/** The fields in which a child differs from its subtask, by which the work was done. */
export function changedIn(before: Pick<Subtask, 'title' | 'description'>, child: Child): ('title' | 'description')[] {
  const [now] = subtasksOf([child])
  return (['title', 'description'] as const).filter((what) => now !== undefined && now[what] !== before[what])
}

const tooMany = (epic: string, { length }: readonly Subtask[]): string[] =>
  length <= planBounds.subtasks
    ? []
    : [
        `${epic} has ${length} open children, and a plan has at most ${planBounds.subtasks}: give some of them to another epic, or run them one by one.`,
      ]

const circles = (subtasks: readonly Subtask[]): string[] =>
  circlesIn(subtasks).map(
    (circle) => `Children wait for each other in a circle: ${circle.join(' → ')}. Remove one of these edges.`,
  )

const outside = (open: readonly ListedBead[], beads: readonly ListedBead[]): string[] => {
  const own = new Set<string>(open.map(({ id }) => id))
  const known = new Map<string, ListedBead>(beads.map((bead) => [bead.id, bead]))
  return open.flatMap(({ id, dependencies }) =>
    dependencies.flatMap((edge) => {
      const why = !mayHoldBack(edge) || own.has(edge.dependsOn) ? null : whyNotFirst(edge, known)
      return why === null ? [] : [`${id} waits for ${edge.dependsOn}, ${why}`]
    }),
  )
}

/** Null: the other bead is in the plan, or has ended. */
function whyNotFirst(edge: BeadDependency, known: ReadonlyMap<string, ListedBead>): string | null {
  if (isExternal(edge.dependsOn))
    return isMissingOutside(edge) ? 'which is not there: wait for it, or remove the edge.' : null
  const other = known.get(edge.dependsOn)
  if (other === undefined || hasVanished(other))
    return 'which is not in the tracker: add that bead, or remove the edge.'
  if (edge.type === 'waits-for' || hasEnded(other)) return null
  return 'which is no child of the same epic: do that first, or remove the edge.'
}
