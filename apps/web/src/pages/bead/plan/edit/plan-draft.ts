import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { planBounds, type Plan, type Subtask } from '@beadloom/core/records/plan.ts'

/**
 * A subtask as typed. `key` stays the same while its id changes, and others depend on it; a text in `dependsOn` is an
 * id that no subtask has. `files`: one path per line.
 */
export type SubtaskDraft = Omit<Subtask, 'filesTouched' | 'dependsOn'> & {
  key: number
  dependsOn: (number | string)[]
  files: string
}
/**
 * `onto`: the version being edited; it must still be the newest when the draft is saved. `original`: that plan, to tell
 * whether anything was typed.
 */
export type PlanDraft = { onto: number; original: string; goal: string; planMarkdown: string; subtasks: SubtaskDraft[] }

export function draftOf({ newest, goal, planMarkdown, subtasks }: PlanView): PlanDraft {
  const keys = new Map(subtasks.map(({ id }, key) => [id, key]))
  const draft = {
    onto: newest,
    original: '',
    goal,
    planMarkdown,
    subtasks: subtasks.map(({ filesTouched, dependsOn, ...one }, key) => ({
      ...one,
      key,
      dependsOn: dependsOn.map((id) => keys.get(id) ?? id),
      files: filesTouched.join('\n'),
    })),
  }
  return { ...draft, original: JSON.stringify(planOf(draft)) }
}

/** The plan to be stored, valid or not. */
export function planOf({ goal, planMarkdown, subtasks }: PlanDraft): Plan {
  const ids = new Map(subtasks.map(({ key, id }) => [key, id]))
  return {
    goal,
    planMarkdown,
    subtasks: subtasks.map(({ id, title, description, type, dependsOn, files }) => ({
      id,
      title,
      description,
      type,
      dependsOn: dependsOn.map((one) => (typeof one === 'string' ? one : (ids.get(one) ?? ''))),
      filesTouched: files
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    })),
  }
}

export const changed = (draft: PlanDraft, key: number, some: Partial<SubtaskDraft>): PlanDraft => ({
  ...draft,
  subtasks: draft.subtasks.map((one) => (one.key === key ? { ...one, ...some } : one)),
})

export function added(draft: PlanDraft): PlanDraft {
  const ids = new Set(draft.subtasks.map(({ id }) => id))
  let number = draft.subtasks.length + 1
  while (ids.has(String(number))) number += 1
  const key = Math.max(-1, ...draft.subtasks.map((one) => one.key)) + 1
  return {
    ...draft,
    subtasks: [
      ...draft.subtasks,
      { key, id: String(number), title: '', description: '', type: 'test', dependsOn: [], files: '' },
    ],
  }
}

/** Without a subtask, and without dependencies on it. */
export const removed = (draft: PlanDraft, key: number): PlanDraft => ({
  ...draft,
  subtasks: draft.subtasks
    .filter((one) => one.key !== key)
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((other) => other !== key) })),
})

/** If two subtasks touch the same file, the order decides which comes first. */
export function moved(draft: PlanDraft, key: number, by: 1 | -1): PlanDraft {
  const from = draft.subtasks.findIndex((one) => one.key === key)
  const to = from + by
  const [one, other] = [draft.subtasks[from], draft.subtasks[to]]
  if (!one || !other) return draft
  return {
    ...draft,
    subtasks: draft.subtasks.map((each, at) => (at === from ? other : at === to ? one : each)),
  }
}

/** Whether the draft differs from its version. */
export const isChanged = (draft: PlanDraft): boolean => JSON.stringify(planOf(draft)) !== draft.original

/** The problems of the plan that name this subtask. */
export function problemsAbout(problems: readonly string[], { id }: Pick<SubtaskDraft, 'id'>, at: number): string[] {
  const names = [`ubtask '${id}'`, `ubtask number ${at + 1} `, `ubtask number ${at + 1}:`]
  return problems.filter((one) => names.some((name) => one.includes(name)))
}

export const mostSubtasks = planBounds.subtasks
