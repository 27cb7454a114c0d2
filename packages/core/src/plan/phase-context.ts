import { capDigest } from '../digest/cap.ts'
import { descriptionLimits, longestTask } from '../bead/task-text.ts'
import { checkLogWords } from '../execution/prompt.ts'
import { fenced } from '../text/fenced.ts'
import { oneLine } from '../text/one-line.ts'
import type { Plan, Subtask } from './plan.ts'
import { relevantSections } from './plan-sections.ts'

/** The same bytes at the beginning of every prompt of a plan, so that a model's cache holds them. */
export const SUBTASK_PREFIX = `## Phased Execution Context

You are executing a subtask within a phased development plan.
- The orchestrator handles commits—do NOT commit
- Focus only on your specific assignment
- Read files from the codebase to understand current state
- The full plan is at .beadloom/execution/plan.md if needed

`

const MOST_TASK = longestTask(descriptionLimits.subtask)
/** The longest feedback that is in a prompt; the whole of it is in the file that is named there. */
const MOST_FEEDBACK = 8_000

export type SubtaskContext = {
  /** The bead's own words, bounded. */
  task: { id: string; title: string; description: string }
  plan: Pick<Plan, 'planMarkdown' | 'subtasks'>
  subtask: Subtask
  /** Of the phases before, in order; only those that there are. */
  summaries: readonly string[]
  /** What a person wrote for this execution; '' for nothing. */
  userContext: string
  /** What the attempt before ended with; null: this is the first. */
  previous: PreviousPhase | null
  /** Files of its folder with what failed checks printed. */
  logs?: readonly string[]
  /** It was done beside others and does not fit to them; null: it was not. */
  conflict?: SubtaskConflict | null
}

/** `result`: the commit that it left then, on `from`. */
export type SubtaskConflict = { result: string; from: string }

/** `number`: of the attempt that is about to begin. */
export type PreviousPhase = { number: number; feedback: string; actions: readonly string[]; phase: number }

/** What the agent of a subtask is told: the prefix, what it needs of the rest, and its assignment last. */
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
    ...(userContext.trim() === '' ? [] : [`## Additional Context\n${userContext.trim()}`]),
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

/** The whole bead, as a frame around the part of it that is assigned. */
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

/** Everything that was said against the attempt before, and last what to do about it. */
export function retryFeedback({ number, feedback, actions, phase }: PreviousPhase): string {
  const shown =
    feedback.length <= MOST_FEEDBACK
      ? feedback
      : `${feedback.slice(0, MOST_FEEDBACK).toWellFormed()}\n… (the rest is in the file below)`
  // The number is that of the attempt to come; the framing goes by the one that failed.
  return `## Retry Attempt ${number}

${framings[(number - 2) % framings.length] ?? framings[0]}

### Previous Attempt Errors (Full Context)

The following errors occurred. Keeping them visible helps avoid repetition:

${shown}

### Action Items (Focus Here)

${actions.length > 0 ? actions.map((one) => `- ${oneLine(one)}`).join('\n') : '- Do what the errors above ask for'}

Full feedback preserved at: .beadloom/execution/phase-${phase}/review-feedback.md`
}

/** What an agent is told that mends what the checks of a phase found. */
export function buildFixPrompt(
  { plan, summaries, task }: Pick<SubtaskContext, 'plan' | 'summaries' | 'task'>,
  subtasks: readonly Subtask[],
  digest: string,
  logs: readonly string[] = [],
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

## What Failed
${capDigest(digest)}${checkLogWords(logs)}

## Your Assignment (Restated for Attention)

The subtasks of this phase are done, and their changes are in the workspace:
${subtasks.map(({ type, title }) => `- [${type}] ${title}`).join('\n')}

The checks above fail on them. Fix the cause, and keep what already works.

Remember: Make the changes. Do NOT commit.
`
}
