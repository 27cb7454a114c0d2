import { z } from 'zod/mini'

/** The types of subtasks. `test` comes first and fails at first, `impl` makes it pass, `refactor` keeps it passing. */
export const subtaskTypes = ['test', 'impl', 'refactor'] as const
export type SubtaskType = (typeof subtaskTypes)[number]

/**
 * The bounds of a plan. 40 subtasks are three to a phase in more than a dozen phases, which is days of work; more are a
 * sign that the bead is several. The texts are bounded because each goes into a prompt, a page or a commit's subject.
 */
export const planBounds = {
  subtasks: 40,
  /** For a plan with more, no other problem is reported: each subtask may have problems, and depend on all others. */
  subtasksRead: 100,
  files: 100,
  idLength: 128,
  titleLength: 200,
  descriptionLength: 10_000,
  goalLength: 4_000,
  markdownLength: 100_000,
  pathLength: 4_096,
} as const

/** Fewer subtasks than this are one session's work. */
const FEWEST_OF_PHASES = 2

const text = (says: string) => z.string().check(z.describe(says))

/*
 * Only keys and types: bounds are checked by `planProblems`, which names all of them with advice, even if another part
 * of the plan does not have the right form.
 */
export const SubtaskForm = z.strictObject({
  id: text('Short and unique in the plan, such as "1a": letters, digits, ".", "_" and "-"'),
  title: text('What it does, in one line; it goes into the subject of a commit'),
  description: text('What it accomplishes, for somebody who has seen nothing but this and the repository'),
  type: z
    .enum(subtaskTypes)
    .check(z.describe('test: writes tests that fail at first; impl: makes them pass; refactor: keeps them passing')),
  dependsOn: z.array(z.string()).check(z.describe('Ids of the subtasks that must be done before this one')),
  filesTouched: z
    .array(z.string())
    .check(
      z.describe('Every file that it will create or change, from the root of the repository; a folder ends with "/"'),
    ),
})
export type Subtask = z.infer<typeof SubtaskForm>

/**
 * The form of a plan in an architect's answer, a file and the API. Phases are never given: they follow from
 * `dependsOn`.
 */
export const PlanForm = z.strictObject({
  goal: text('What is true when all of it is done, in one or two sentences'),
  planMarkdown: text('The plan as a document in Markdown: a section for each part, which names the files it is about'),
  subtasks: z
    .array(SubtaskForm)
    .check(z.describe(`At most ${planBounds.subtasks}; none where one person would do it in one go`)),
})
export type Plan = z.infer<typeof PlanForm>

/** A plan with fewer than two subtasks is work for a single session, as if there were no plan. */
export const isPhased = ({ subtasks }: { subtasks: { length: number } }): boolean => subtasks.length >= FEWEST_OF_PHASES

/** The origin of a plan: an architect's session, the children of an epic in the tracker, or a person. */
export type PlanSource = 'architect' | 'tracker' | 'person'
