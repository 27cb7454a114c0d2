import { expect, test } from 'vitest'
import { commandLines, filesOf, toolLines } from '../testing/sample-repository.ts'
import { devcontainerLines } from './devcontainer/devcontainer-words.ts'
import { detected } from './commands/detected.ts'
import { look } from './look.ts'
import { proposalFor } from '../project/proposal.ts'
import { shapes, type Shape } from './testing/shapes.ts'

/*
 * The readings of repositories of many kinds, in one file: the diff of a changed reader shows its effect on all of
 * them. `vitest -u` writes it anew; read it before you commit.
 */

function answerFor({ name, files }: Shape): string {
  const found = look(filesOf(files))
  const { setup, test: tested, checks, devcontainer } = detected(found)
  const { config, open } = proposalFor(found)
  const lines = [
    ...toolLines(found),
    ...commandLines(found),
    ...found.services.map(({ name: service, image, confidence }) => `service: ${service} ${image} (${confidence})`),
    ...found.conflicts.map(
      ({ taken, other }) => `conflict: ${taken.from.file} ${taken.version}, ${other.from.file} ${other.version}`,
    ),
    ...found.nested.map(({ folder, techStack }) => `project in ${folder}: ${techStack.join(', ')}`),
    ...found.refused.map(({ what, from }) => `refused: ${what} (${from.file}:${from.line})`),
    ...found.absent.map(({ text }) => `absent: ${text}`),
    ...found.notes.map(({ text }) => `note: ${text}`),
    ...(devcontainer ? [...devcontainerLines(devcontainer), ...devcontainer.missing] : []).map(
      (line) => `devcontainer: ${line}`,
    ),
    `runs unasked: ${[devcontainer?.setup, setup, tested, ...checks.map(({ command }) => command)].filter(Boolean).join(' | ') || 'nothing'}`,
    `proposed: ${JSON.stringify(config)}`,
    ...open.map((sentence) => `open: ${sentence}`),
  ]
  return `# ${name}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

test('repositories of fifty shapes and more get the recorded answers', async () => {
  expect(shapes.length).toBeGreaterThan(50)
  expect(new Set(shapes.map(({ name }) => name)).size).toBe(shapes.length)
  await expect(shapes.map(answerFor).join('\n')).toMatchFileSnapshot('fixtures/shapes.txt')
})
