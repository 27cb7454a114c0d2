import { capDigest } from '../digest/cap.ts'
import { descriptionBounds, longestTask } from '../bead/task-text.ts'
import { checkLogWords } from '../execution/prompt.ts'
import { fenced } from '../text/fenced.ts'
import { oneLine } from '../text/one-line.ts'
import type { Plan, Subtask } from '../records/plan.ts'
import { relevantSections } from './plan-sections.ts'

/** The same bytes at the beginning of every prompt of a plan, so that a model's cache holds them. */
export const SUBTASK_PREFIX = `## Phased Execution Context

You are executing a subtask within a phased development plan.
- The orchestrator handles commits—do NOT commit
- Focus only on your specific assignment
- Read files from the codebase to understand current state
- The full plan is at .beadloom/execution/plan.md if needed

`

const MOST_TASK = longestTask(descriptionBounds.subtask)
/** The longest feedback in a prompt, which names the file with all of it. */
const MOST_FEEDBACK = 8_000

export type SubtaskContext = {
  /** The bead's own words, bounded. */
  task: { id: string; title: string; description: string }
  plan: Pick<Plan, 'planMarkdown' | 'subtasks'>
  subtask: Subtask
  /** Summaries of the earlier phases, in order. */
  summaries: readonly string[]
  /** A person's note for this execution; '' for none. */
  userContext: string
  /** The end of the previous attempt; null: this is the first. */
  previous: PreviousPhase | null
  /** Files of its folder with the output of failed checks. */
  logs?: readonly string[]
  /** Its result conflicts with others of the same time; null: no conflict. */
  conflict?: SubtaskConflict | null
}

/** `result`: its earlier commit, on top of `from`. */
export type SubtaskConflict = { result: string; from: string }

/** `number`: that of the attempt that begins now. */
export type PreviousPhase = { number: number; feedback: string; actions: readonly string[]; phase: number }

/** The prompt of a subtask's agent: the prefix, the necessary context, and its assignment last. */
export function buildSubtaskPrompt({
  task,
  plan,
  subtask,
  summaries,
  userContext,
  previous,
  conflict = null,
  logs = [],
}: SubtaskContext): string {
  const direct = plan.subtasks.filter(({ id }) => subtask.dependsOn.includes(id))
  const parts = [
    taskPart(task),
    `## Prior Phase Summaries\n${summaries.length > 0 ? summaries.join('\n\n') : 'This is phase 1 - no prior phases.'}`,
    `## Your Dependencies (Completed)\n${direct.length > 0 ? direct.map(({ title, description }) => `- ${title}: ${description}`).join('\n') : 'None - this subtask has no dependencies.'}`,
    `## Relevant Plan Sections\n${relevantSections(plan.planMarkdown, subtask.filesTouched) || 'None: no section of the plan names these files.'}`,
    ...contextPart(userContext),
    ...(previous === null ? [] : [`${retryFeedback(previous)}${checkLogWords(logs)}`]),
    ...(conflict === null ? [] : [conflictText(conflict)]),
    `## Your Assignment (Restated for Attention)

**Subtask:** ${subtask.title}
**Type:** ${subtask.type}
**Files:** ${subtask.filesTouched.join(', ')}

${subtask.description}

Remember: Make the changes. Do NOT commit.
`,
  ]
  return `${SUBTASK_PREFIX}${parts.join('\n\n')}`
}

const contextPart = (userContext: string): string[] =>
  userContext.trim() === '' ? [] : [`## Additional Context\n${userContext.trim()}`]

/** The whole bead, as a frame around the assigned part. */
function taskPart({ id, title, description }: SubtaskContext['task']): string {
  const asked = description.trim() === '' ? '' : `\n\n${fenced(description, MOST_TASK)}`
  return `## The Task\n${oneLine(id)}: ${oneLine(title)}${asked}`
}

const conflictText = ({ result, from }: SubtaskConflict): string =>
  `## A Conflict To Resolve

This subtask was done already, beside the others of its phase, and its changes conflict with theirs. The workspace has the changes of the others. See what was done for this subtask with \`git fetch -q origin ${result}; git diff ${from} ${result}\`, and make those changes here so that both sides hold.`

const framings = [
  'The previous approach failed. A different strategy is needed.',
  'Review the errors carefully before proceeding differently.',
  'The prior attempt had issues. Consider an alternative approach.',
]

/** All objections to the previous attempt, and then what to do about them. */
export function retryFeedback({ number, feedback, actions, phase }: PreviousPhase): string {
  const shown =
    feedback.length <= MOST_FEEDBACK
      ? feedback
      : `${feedback.slice(0, MOST_FEEDBACK).toWellFormed()}\n… (the rest is in the file below)`
  // The number is the next attempt's; the framing is about the one that failed.
  return `## Retry Attempt ${number}

${framings[(number - 2) % framings.length] ?? framings[0]}

### Previous Attempt Errors (Full Context)

The following errors occurred. Keeping them visible helps avoid repetition:

${shown}

### Action Items (Focus Here)

${actions.length > 0 ? actions.map((one) => `- ${oneLine(one)}`).join('\n') : '- Do what the errors above ask for'}

Full feedback preserved at: .beadloom/execution/phase-${phase}/review-feedback.md`
}

/** The prompt of an agent that repairs the failures of a phase's checks. */
export function buildFixPrompt(
  {
    plan,
    summaries,
    task,
    userContext,
    logs = [],
  }: Pick<SubtaskContext, 'plan' | 'summaries' | 'task' | 'userContext' | 'logs'>,
  subtasks: readonly Subtask[],
  digest: string,
): string {
  return `${SUBTASK_PREFIX}${taskPart(task)}

## Prior Phase Summaries
${summaries.length > 0 ? summaries.join('\n\n') : 'This is phase 1 - no prior phases.'}

## Relevant Plan Sections
${
  relevantSections(
    plan.planMarkdown,
    subtasks.flatMap(({ filesTouched }) => filesTouched),
  ) || 'None: no section of the plan names these files.'
}

${contextPart(userContext)
  .map((text) => `${text}\n\n`)
  .join('')}## What Failed
${capDigest(digest)}${checkLogWords(logs)}

## Your Assignment (Restated for Attention)

The subtasks of this phase are done, and their changes are in the workspace:
${subtasks.map(({ type, title }) => `- [${type}] ${title}`).join('\n')}

The checks above fail on them. Fix the cause, and keep what already works.

Remember: Make the changes. Do NOT commit.
`
}
