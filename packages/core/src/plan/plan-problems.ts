import { codeSpan } from '../text/fenced.ts'
import { oneLine } from '../text/one-line.ts'
import { circlesIn, dependenciesOf } from './phases.ts'
import { planBounds, type SubtaskType } from '../records/plan.ts'

/** A plan as far as it could be read. Null: missing or malformed, which has already been reported as a problem. */
export type Sketch = {
  goal: string | null
  planMarkdown: string | null
  subtasks: readonly SketchedSubtask[]
}

export type SketchedSubtask = {
  id: string | null
  title: string | null
  description: string | null
  type: SubtaskType | null
  dependsOn: readonly string[] | null
  filesTouched: readonly string[] | null
}

const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/

/** All problems of a plan apart from its form, in sentences. Linear in the plan's length. */
export function planProblems({ goal, planMarkdown, subtasks }: Sketch): string[] {
  return [
    ...textProblems('The goal', goal, planBounds.goalLength, true),
    ...textProblems('The plan in Markdown', planMarkdown, planBounds.markdownLength, false),
    ...(subtasks.length > planBounds.subtasks ? [tooManyText(subtasks.length)] : []),
    ...subtasks.flatMap(ownProblems),
    ...idProblems(subtasks),
    ...dependencyProblems(subtasks),
  ]
}

export const tooManyText = (count: number): string =>
  `The plan has ${count} subtasks, and at most ${planBounds.subtasks} are allowed: join small ones that touch the same files, or plan only the first part of the work.`

/** A subtask's name in a sentence: its id if that is valid, else its place. */
const nameOf = (id: string | null, at: number): string =>
  id !== null && isId(id) ? `Subtask '${id}'` : `Subtask number ${at + 1}`

const isId = (id: string): boolean => id.length <= planBounds.idLength && ID.test(id)

function ownProblems({ id, title, description, filesTouched }: SketchedSubtask, at: number): string[] {
  const name = nameOf(id, at)
  return [
    ...(id !== null && !isId(id)
      ? [
          `${name} has the id ${codeSpan(id, 60)}: an id is 1 to ${planBounds.idLength} letters, digits, ".", "_" and "-", such as "2a", on one line.`,
        ]
      : []),
    ...textProblems(
      `The title of ${lower(name)}`,
      title === null ? null : oneLine(title),
      planBounds.titleLength,
      true,
    ),
    ...textProblems(`The description of ${lower(name)}`, description, planBounds.descriptionLength, true),
    ...fileProblems(name, filesTouched),
  ]
}

const lower = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`

function textProblems(what: string, text: string | null, longest: number, needed: boolean): string[] {
  if (text === null) return []
  if (needed && text.trim() === '') return [`${what} is empty: say it in a sentence.`]
  return text.length > longest ? [`${what} has ${text.length} characters, and at most ${longest} are allowed.`] : []
}

function fileProblems(name: string, files: readonly string[] | null): string[] {
  if (files === null) return []
  if (files.length === 0)
    return [`${name} touches no files: name in "filesTouched" each file that it will create or change.`]
  if (files.length > planBounds.files)
    return [
      `${name} touches ${files.length} files, and at most ${planBounds.files} may be listed: name folders, or split it.`,
    ]
  return files.flatMap((path) => {
    const wrong = pathProblem(path)
    return wrong === null ? [] : [`${name} touches ${codeSpan(path, 120)}, which ${wrong}`]
  })
}

const INSIDE = 'give a path from the root of the repository, such as "src/user.ts".'

/** The problem of a file's path, as the end of a sentence; null: none. */
export function pathProblem(path: string): string | null {
  if (path.trim() === '' || path.length > planBounds.pathLength || /[\p{Cc}\u2028\u2029]/u.test(path))
    return `is not the path of a file: ${INSIDE}`
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return `is not inside of the repository: ${INSIDE}`
  const parts = path.split('/')
  if (parts.includes('..')) return `leads out of a folder: ${INSIDE}`
  if (parts[0] === '.git') return "is git's own folder: no subtask may touch it."
  if (parts[0] === '.beadloom' || (parts[0] === '.' && parts[1] === '.beadloom'))
    return "is in Beadloom's own folder: no subtask may touch it."
  return null
}

function idProblems(subtasks: readonly SketchedSubtask[]): string[] {
  const places = new Map<string, number[]>()
  for (const [at, { id }] of subtasks.entries()) if (id !== null) places.set(id, [...(places.get(id) ?? []), at + 1])
  return [...places]
    .filter(([, at]) => at.length > 1)
    .map(
      ([id, at]) =>
        `The id ${codeSpan(id, 60)} is used by subtasks number ${at.join(', ')}: give each subtask an id of its own.`,
    )
}

function dependencyProblems(subtasks: readonly SketchedSubtask[]): string[] {
  const known = new Map<string, { id: string; type: SubtaskType | null; dependsOn: readonly string[] }>()
  for (const { id, type, dependsOn } of subtasks)
    if (id !== null && !known.has(id)) known.set(id, { id, type, dependsOn: dependsOn ?? [] })
  return [
    ...subtasks.flatMap(({ id, dependsOn }, at) =>
      [...new Set(dependsOn ?? [])].flatMap((one) => {
        if (one === id) return [`${nameOf(id, at)} depends on itself: remove that from its "dependsOn".`]
        if (known.has(one)) return []
        return [
          `${nameOf(id, at)} depends on ${codeSpan(one, 60)}, which is no subtask of this plan: add it, or remove it from "dependsOn".`,
        ]
      }),
    ),
    ...circlesIn(
      [...known.values()].map(({ id, dependsOn }) => ({ id, dependsOn: dependsOn.filter((one) => one !== id) })),
    ).map(
      (circle) =>
        `Subtasks depend on each other in a circle, so none of them could start: ${circle.map((id) => codeSpan(id, 60)).join(' → ')}. Remove one of these dependencies.`,
    ),
    ...testsFirst([...known.values()]),
  ]
}

/**
 * Checks that every `impl` subtask depends on a `test` subtask, directly or not. Not for a single subtask, which is
 * done in one session as any bead; and not if a type in the chain could not be read, which has already been reported.
 */
function testsFirst(
  subtasks: readonly { id: string; type: SubtaskType | null; dependsOn: readonly string[] }[],
): string[] {
  if (subtasks.length < 2) return []
  const known = new Map(subtasks.map((one) => [one.id, one]))
  return subtasks
    .filter(({ id, type }) => {
      if (type !== 'impl') return false
      const types = [...dependenciesOf(id, known)].map((one) => known.get(one)?.type)
      return !types.some((one) => one === 'test' || one === null)
    })
    .map(
      ({ id }) =>
        `Impl subtask '${oneLine(id).slice(0, planBounds.idLength)}' has no test dependency. TDD requires tests before implementation.`,
    )
}
