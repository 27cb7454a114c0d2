import type { Command } from 'commander'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { segment } from '../api-client.ts'
import { allProjects, among } from '../choose.ts'
import type { CommandContext } from '../context.ts'
import { exitCode, Refused } from '../exit-code.ts'
import { print } from '../terminal/output.ts'
import { describe } from './project-commands.ts'

/** `sync`: one project, or all of them. */
export function addSyncCommand(program: Command, context: CommandContext): void {
  const { terminal } = context
  context
    .command(program, {
      usage: 'sync [project]',
      description: 'reload settings and beads, and write pending changes to the tracker',
      more: 'Without a project it syncs all of them, and with --json it prints a list.',
      arguments: { project: 'project id (default: all)' },
      examples: ['beadloom sync            # all projects', 'beadloom sync library'],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const sync = (id: string) => api.send<ProjectView>('POST', `/api/projects/${segment(id)}/sync`)
        const shown = (view: ProjectView) => describe(view, terminal.columns)
        const projects = await allProjects(api)
        if (args[0] !== undefined) {
          const view = await sync(among(projects, String(args[0])))
          return print(terminal, json, view, () => shown(view))
        }
        const views: ProjectView[] = []
        for (const { id } of projects) {
          try {
            views.push(await sync(id))
          } catch (error) {
            if (!(error instanceof Refused)) throw error
            terminal.note(`${id}: ${error.message}`)
            process.exitCode = exitCode.failed
          }
        }
        print(terminal, json, views, () => views.map(shown).join('\n'))
      }),
    )
}
