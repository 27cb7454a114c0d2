import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { CommandContext } from './context.ts'
import { exitCode, exitMeanings, type ExitName } from './exit-code.ts'
import type { Terminal } from './terminal/output.ts'
import { allCommands } from './program-of.ts'
import { createProgram } from './program.ts'
import { textWidth } from './terminal/terminal-text.ts'

const nowhere: Terminal = {
  write: () => true,
  drained: async () => {},
  note: () => {},
  columns: 80,
  rows: 24,
  colour: false,
  watched: false,
}
const program = createProgram(new CommandContext({}, '/', nowhere))
const docs = join(import.meta.dirname, '..', '..', '..', '..', 'docs')
const page = (name: string): string => readFileSync(join(docs, name), 'utf8')

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

function helpOf(command: Command, columns = 80): string {
  let text = ''
  command.configureOutput({ writeOut: (piece) => (text += piece), getOutHelpWidth: () => columns }).outputHelp()
  return text
}

const pages = allCommands(program).filter((command) => command.name() !== 'help')
/** Commands with an action; these only have others below them. */
const doers = pages.filter(
  (command) => !['project', 'secret', 'bench', 'forge', 'service', 'webhook'].includes(command.name()),
)

describe('the page of', () => {
  test.each(pages.map((command) => [nameOf(command), command] as const))('%s is whole', (_, command) => {
    const help = helpOf(command)
    expect(help).toMatch(/^Usage: beadloom /)
    if (doers.includes(command)) expect(help).toContain('--json')
    expect(help).toMatch(/\nExit codes:\n {2}0 {4}done\n/)
    expect(help).toMatch(/\nExamples:\n/)
    for (const columns of [60, 80, 200]) {
      const [shown = '', examples = ''] = helpOf(command, columns).split('Examples:')
      for (const line of shown.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(columns)
      expect(examples).not.toMatch(/undefined|\[object/)
    }
    for (const argument of command.registeredArguments) expect(argument.description).not.toBe('')
    for (const option of command.options) expect(option.description).not.toBe('')
    expect(command.summary()).toMatch(/^[^A-Z].*[^.]$/)
  })
})

test('every exit code has one meaning, in the help and in the documentation', () => {
  const table = page('command-line.md')
  for (const name of Object.keys(exitCode) as ExitName[])
    expect(table).toContain(`| ${exitCode[name]} | ${exitMeanings[name]} |`)
  expect(helpOf(program)).toContain(`  ${exitCode.interrupted}  ${exitMeanings.interrupted}\n`)
})

test('the documentation names every command', () => {
  const text = page('command-line.md')
  expect(doers.map(nameOf).filter((name) => !text.includes(`\`beadloom ${name}`))).toEqual([])
})

test('the page for agents names commands and options that exist', () => {
  const text = page('agents.md')
  expect(text).toMatch(/^---\nname: [a-z-]+\ndescription: .{50,1000}\n---\n/)
  const lines = [...text.matchAll(/beadloom ((?:[a-z]+ ?)+)([^\n#|`]*)/g)].filter(([, words]) => words?.trim())
  expect(lines.length).toBeGreaterThan(8)
  const names = new Map(doers.map((command) => [nameOf(command), command]))
  const found = [...text.matchAll(/^(?:.*\$\(|.*do )?beadloom (.+)$/gm)].map(([, rest]) => rest ?? '')
  expect(found.length).toBeGreaterThan(8)
  for (const rest of found) {
    const [first = '', second = ''] = rest.split(' ')
    const command = names.get(`${first} ${second}`) ?? names.get(first)
    expect({ rest, known: command !== undefined }).toEqual({ rest, known: true })
    const ours = rest.split(/[|;>#]/)[0] ?? ''
    for (const [flag] of ours.matchAll(/(?<![\w-])--[a-z-]+/g))
      expect({ rest, flags: command?.options.map(({ long }) => long) }).toMatchObject({
        flags: expect.arrayContaining([flag]),
      })
  }
})

test.each([
  'plan bl-1 --plan-version 0',
  'plan bl-1 --new --from plan.json',
  'plan bl-1 --new --edit',
  'containers discard beadloom-ex-1a2b3c4d5e-work',
  'project add ',
])('"%s" ends with the exit code for usage errors', async (line) => {
  const context = new CommandContext({ BEADLOOM_DATA: '/nowhere' }, '/', nowhere)
  const ended = createProgram(context).parseAsync(line.split(' '), { from: 'user' })
  await expect(ended).rejects.toMatchObject({ name: 'CliError', exit: exitCode.usage })
})
