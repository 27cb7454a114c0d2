import tokenizer from 'llama-tokenizer-js'
import { expect, test } from 'vitest'
import { buildSubtaskPrompt, SUBTASK_PREFIX } from '@beadloom/core/plan/phase-context.ts'
import { phaseSummary } from '@beadloom/core/plan/phase-words.ts'
import { nineSubtasks } from '@beadloom/core/plan/plan-kit.ts'
import { relevantSections } from '@beadloom/core/plan/plan-sections.ts'

/*
 * A subtask's share of a large plan in its prompt, counted by a real tokenizer. Other models' tokenizers come to
 * similar numbers for prose and code.
 */
const tokens = (text: string): number => tokenizer.encode(text, false).length

/** Eight parts of an ordinary design, each about a few files, as an architect writes them. */
const parts = [
  ['User model', 'src/1a.ts', 'src/2a.ts', 'A user has a name, an address and a hash of the password.'],
  ['Post model', 'src/1b.ts', 'src/2b.ts', 'A post belongs to a user and has a title, a text and a moment.'],
  ['Endpoints', 'src/3a.ts', 'src/4a.ts', 'Users and posts are listed, read, made and removed over HTTP.'],
  ['Commands', 'src/3b.ts', 'src/4b.ts', 'The same for people at a terminal, one command for each.'],
  ['Storage', 'src/store.ts', 'src/migrations.ts', 'One table for each model, and one for what belongs together.'],
  ['Errors', 'src/errors.ts', 'src/words.ts', 'A refusal has a code for programs and a sentence for people.'],
  ['Pages', 'src/pages.ts', 'src/layout.ts', 'A list of posts, a post, and a form, without any script.'],
  ['Integration', 'src/5.ts', 'test/all.ts', 'Everything together on a real database and a free port.'],
] as const
const planMarkdown = `# A blog\n\n${parts
  .map(
    ([title, one, other, what]) =>
      `## ${title} (\`${one}\`, \`${other}\`)\n\n${what} ${`Input is checked where it arrives: lengths, characters and kinds, with an error that names the field and says what would be right. Nothing is kept that has not been asked for, and what is removed is gone. Whoever calls it gets a value or an error with a code, and never both. `.repeat(4)}`,
  )
  .join('\n\n')}\n`

test('a plan of some 2,000 tokens becomes about 300 for a subtask, and a summary takes about 200', () => {
  expect(tokens(planMarkdown)).toBeGreaterThan(1_800)
  expect(tokens(planMarkdown)).toBeLessThan(2_600)
  for (const subtask of nineSubtasks) {
    const sections = relevantSections(planMarkdown, subtask.filesTouched)
    expect(sections).not.toBe('')
    expect([subtask.id, tokens(sections) <= 330]).toEqual([subtask.id, true])
  }
  const files = ['src/2a.ts', 'src/2b.ts', 'test/2a.test.ts'].map((path) => ({ path, added: 40, removed: 3 }))
  const summary = phaseSummary(2, nineSubtasks.slice(2, 4), files, ['a1b2c3d4e5'.repeat(4), 'f6a7b8c9d0'.repeat(4)])
  expect(tokens(summary)).toBeLessThan(220)
  // The rest of a prompt is small, whatever the plan.
  const prompt = (summaries: string[]) =>
    buildSubtaskPrompt({
      task: { id: 'bl-1', title: 'A blog', description: 'Make it.' },
      plan: { planMarkdown, subtasks: nineSubtasks },
      subtask: nineSubtasks[6]!,
      summaries,
      userContext: '',
      previous: null,
    })
  expect(tokens(prompt([]))).toBeLessThan(330 + 330)
  expect(tokens(SUBTASK_PREFIX)).toBeLessThan(120)
  // Each phase adds a summary and nothing else.
  const grown = tokens(prompt([summary, summary, summary])) - tokens(prompt([]))
  expect(grown).toBeLessThan(3 * tokens(summary) + 10)
})
