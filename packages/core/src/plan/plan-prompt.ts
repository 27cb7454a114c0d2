import { descriptionBounds, longestTask } from '../bead/task-text.ts'
import { codeSpan, fenced } from '../text/fenced.ts'
import { oneLine } from '../text/one-line.ts'
import { answerText, type AnswerBy } from '../review/answer-by.ts'
import { planBounds } from '../records/plan.ts'

/** The input of an architect's prompt. */
export type PlanPromptInput = {
  projectName: string
  techStack: readonly string[]
  task: { id: string; title: string; description: string }
  /** A person's note for this execution; '' for none. */
  context: string
  commit: string
  checks: readonly string[]
  /** Why the plan of an earlier session could not be used; null: there was none. */
  wrong: string | null
  answerBy: AnswerBy
}

const MOST_TASK = longestTask(descriptionBounds.architect)
const MOST_CONTEXT = 20_000
const MOST_WRONG = 12_000

/** An architect's prompt: the task, how subtasks are done, and the form of the plan. */
export function buildPlanPrompt(input: PlanPromptInput): string {
  const { projectName, techStack, task, context, commit, checks } = input
  return `
=== PLAN ===
You plan a task in an isolated container. Others do it, subtask by subtask. You write no code and change nothing.

PROJECT: ${oneLine(projectName)}
Tech Stack: ${techStack.map(oneLine).join(', ') || 'unknown'}
COMMIT: ${commit}

=== THE TASK ===
${oneLine(task.id)}: ${codeSpan(task.title, 300)}
${task.description.trim() === '' ? '(no description)' : fenced(task.description, MOST_TASK)}
${context.trim() === '' ? '' : `\n=== ADDITIONAL CONTEXT ===\n${fenced(context, MOST_CONTEXT)}\n`}
=== HOW IT IS DONE ===
Phases follow from your subtasks: a subtask is in the first phase after all that it depends on. The subtasks of a phase run at the same time, each by a fresh agent in a container of its own that starts from the same commit. Their changes are brought together, checked${checks.length === 0 ? '' : ` (${checks.map((one) => codeSpan(one, 200)).join(', ')})`} and become one commit, which is reviewed before the next phase begins.
An agent sees the description of its subtask, those of the subtasks that it depends on, a summary of the finished phases, and the sections of your plan that name its files. So a description says all that is to be done, and a section of the plan names the files that it is about.
Subtasks of one phase touch different files. Where they cannot, one depends on the other.

When decomposing tasks into subtasks:
1. For each new feature/component, create a TEST subtask first
2. Create an IMPL subtask that depends on the TEST subtask
3. Tests should be written to fail initially (red phase)
4. Implementation should be minimal to pass tests (green phase)
5. Optional REFACTOR subtasks can follow implementation

Example pattern:
  "Write X tests" (type: test) → "Implement X" (type: impl) → "Refactor X" (type: refactor)

A task that one agent does well in one go needs no subtasks: then give none. At most ${planBounds.subtasks} subtasks; few large ones are better than many small ones.

=== ANSWER ===
${answerPart(input)}`
}

function answerPart({ wrong, answerBy }: PlanPromptInput): string {
  const before =
    wrong === null
      ? ''
      : `An earlier plan could not be used. Give one without these problems:\n${oneLine(wrong).slice(0, MOST_WRONG).toWellFormed()}\n\n`
  return `${before}${answerText[answerBy]} The document has this form, and no other keys:

{
  "goal": "what is true when all of it is done",
  "planMarkdown": "# The plan\\n\\n## A part of it (\`src/user.ts\`)\\n\\nwhat, why, and how the parts fit together",
  "subtasks": [
    {
      "id": "1a",
      "title": "Write User model tests",
      "description": "all that this subtask accomplishes",
      "type": "test",
      "dependsOn": [],
      "filesTouched": ["test/user.test.ts"]
    },
    {
      "id": "2a",
      "title": "Implement User model",
      "description": "all that this subtask accomplishes",
      "type": "impl",
      "dependsOn": ["1a"],
      "filesTouched": ["src/user.ts"]
    }
  ]
}

type is test, impl or refactor. Every impl subtask depends on a test subtask, directly or through others. filesTouched names every file that the subtask creates or changes, from the root of the repository; a folder ends with "/".
`
}
