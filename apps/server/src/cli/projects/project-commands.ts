import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { segment } from '../api-client.ts'
import type { CommandContext } from '../context.ts'
import { CliError, clientExits, exitCode } from '../exit-code.ts'
import { whileCtrlCEnds } from '../terminal/ctrl-c.ts'
import { writeHelp } from '../terminal/help.ts'
import { print, progressOf, table } from '../terminal/output.ts'
import { hanging } from '../terminal/hanging.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'
import { followAdding } from './follow-adding.ts'
import { environmentIfRead } from './environment-command.ts'
import { environmentLines } from './environment-lines.ts'

/** `project add|list|remove`. */
export function addProjectCommands(program: Command, context: CommandContext): void {
  const project = writeHelp(program.command('project').helpCommand(false), {
    description: 'add, list and remove projects',
    more: 'A project is a git repository with its settings and beads. "beadloom pause", "resume" and "sync" work on a project too.',
    examples: ['beadloom project add .', 'beadloom project list', 'beadloom project remove library'],
  })
  addProjectAdd(project, context)
  addProjectList(project, context)
  addProjectRemove(project, context)
}

function addProjectAdd(project: Command, context: CommandContext): void {
  context
    .command(project, {
      usage: 'add <source>',
      description: 'add a project: a folder with a git repository, or a URL to clone',
      more: 'It shows the progress of fetching a large repository. Ctrl-C stops it and leaves nothing of the project behind.',
      arguments: { source: 'a path or a URL' },
      examples: ['beadloom project add .', 'beadloom project add https://example.org/me/library.git --id library'],
      exits: [...clientExits, 'interrupted'],
    })
    .option('--id <id>', 'project id (default: taken from the last part of the source)')
    .option(
      '--base <branch>',
      'branch that work starts from (default: the repository\'s default branch, or the "baseBranch" of its beadloom.json)',
    )
    .action(
      context.run(async ({ api, json, args, options }) => {
        const given = String(args[0])
        if (given.trim() === '')
          throw new CliError('name a folder or a URL, as in "beadloom project add ."', exitCode.usage)
        const source = absolute(given, context.cwd)
        const id = options['id'] === undefined ? undefined : String(options['id'])
        const base = options['base'] === undefined ? undefined : String(options['base'])
        const tell = progressOf(context.terminal)
        const added = await whileCtrlCEnds((stop) =>
          followAdding({ api, source, id, base, tell, sleep: (ms) => delay(ms), stop }),
        )
        const found = json ? null : await environmentIfRead(api, added.id)
        print(context.terminal, json, added, () =>
          [
            describe(added, context.terminal.columns),
            ...(found ? environmentLines(found, context.terminal.columns) : []),
          ].join('\n'),
        )
      }),
    )
}

function addProjectList(project: Command, context: CommandContext): void {
  context
    .command(project, {
      usage: 'list',
      description: 'list the projects',
      examples: ['beadloom project list', 'beadloom project list --json | jq -r .[].id'],
    })
    .action(
      context.run(async ({ api, json }) => {
        const { items } = await api.get<Page<ProjectView>>('/api/projects')
        const header = ['PROJECT', 'READY', 'OPEN', 'DONE', 'STATE', 'SOURCE']
        print(context.terminal, json, items, () =>
          items.length === 0
            ? 'No projects yet. Add one: beadloom project add FOLDER'
            : [
                table([header, ...items.map(row)], context.terminal.columns),
                ...notes(items, context.terminal.columns),
              ].join('\n'),
        )
      }),
    )
}

function addProjectRemove(project: Command, context: CommandContext): void {
  context
    .command(project, {
      usage: 'remove <project>',
      description: 'remove a project from Beadloom; its repository and remote stay as they are',
      arguments: { project: 'project id' },
      examples: ['beadloom project remove library'],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const id = String(args[0])
        await api.send('DELETE', `/api/projects/${segment(id)}`)
        print(context.terminal, json, { removed: id }, () => `Removed ${id}.`)
      }),
    )
}

/** An absolute path, as the server takes no other; a URL or git@host:path stays as it is. */
function absolute(source: string, cwd: string): string {
  return /^[\w+.-]+:\/\//.test(source) || /^[\w.-]+@[\w.-]+:/.test(source) ? source : resolve(cwd, source)
}

function row(project: ProjectView): string[] {
  const { ready, open, done } = project.beadCounts
  return [project.id, String(ready), String(open), String(done), stateOf(project), project.source]
}

function stateOf(project: ProjectView): string {
  if (project.problem) return 'problem'
  if (project.paused) return 'paused'
  return project.autopilot ? 'autopilot' : 'manual'
}

/** Notes that a person should read before they wonder: the problem of each project, and shared ones only once. */
export function notes(projects: readonly ProjectView[], columns: number): string[] {
  const problems = projects.flatMap(({ id, problem }) => (problem ? [`${id}: ${problem}`] : []))
  const said = new Map<string, string[]>()
  for (const { id, memoryNote, hostedNote } of projects)
    for (const note of [memoryNote, hostedNote]) if (note !== undefined) said.set(note, [...(said.get(note) ?? []), id])
  const shared = [...said].map(([note, ids]) => (ids.length === projects.length ? note : `${ids.join(', ')}: ${note}`))
  return [...problems, ...shared].flatMap((line) => hanging(oneLiner(line), columns))
}

const WARNINGS_SHOWN = 20

/** A project for people, with all its problems. */
export function describe(project: ProjectView, columns: number): string {
  const { ready, open, done } = project.beadCounts
  const { test, model, modelNote, memoryNote, hostedNote, problem, tracker, warnings } = project
  const lines = [`${project.id}: ${counted(open, 'open bead')} (${ready} ready), ${done} done; ${stateOf(project)}`]
  if (test) lines.push(`  test command: ${test}`)
  if (model) lines.push(`  model: ${model}${modelNote ? ` (${modelNote})` : ''}`)
  if (tracker) lines.push(`  tracker: ${tracker.text}`)
  if (memoryNote) lines.push(`  memory: ${memoryNote}`)
  if (hostedNote) lines.push(`  hosted tools: ${hostedNote}`)
  if (problem) lines.push(`  problem: ${problem}`)
  lines.push(...warnings.slice(0, WARNINGS_SHOWN).map((warning) => `  warning: ${warning}`))
  const more = warnings.length - WARNINGS_SHOWN
  if (more > 0) lines.push(`  … and ${more} more warnings (--json shows all)`)
  return lines
    .flatMap((line) => plainText(line).split('\n'))
    .flatMap((line) => hanging(line, columns))
    .join('\n')
}
