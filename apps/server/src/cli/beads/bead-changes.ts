import type { Command } from 'commander'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { systemClock } from '../../process/clock.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { beadPage } from './bead-view.ts'
import { chooseProject, chooseProjectOf } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { editOf, type EditFlags } from './edit-bead.ts'
import { newBeadOf, type NewBeadFlags } from './new-bead.ts'
import { print } from '../terminal/output.ts'
import { paintOf } from '../terminal/paint.ts'
import { collect } from '../executions/run-options.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

/** `beads create`, `beads show`, `beads edit`, `beads close`, `beads reopen`. */
export function addBeadChanges(beads: Command, context: CommandContext): void {
  addCreate(beads, context)
  addShow(beads, context)
  addEdit(beads, context)
  for (const [verb, status, description, past] of [
    ['close', 'done', 'close a bead, so that beads waiting for it can start', 'Closed'],
    ['reopen', 'open', 'reopen a bead, so that it can run again', 'Reopened'],
  ] as const) {
    context
      .command(beads, {
        usage: `${verb} <bead>`,
        description,
        arguments: { bead: 'bead id' },
        examples: [`beadloom beads ${verb} bl-4f2`, `beadloom beads ${verb} bl-4f2 --json | jq -r .status`],
      })
      .addOption(projectOption())
      .action(
        context.run(async ({ api, json, args, options }) => {
          const bead = String(args[0])
          const path = await pathOf(api, bead, verb, options, context)
          const changed = await api.send<BeadView>('PATCH', path, { status })
          print(context.terminal, json, changed, () => `${past} ${oneLiner(changed.id)}: ${oneLiner(changed.title)}`)
        }),
      )
  }
}

function addCreate(beads: Command, context: CommandContext): void {
  context
    .command(beads, {
      usage: 'create <title>',
      description: 'create a bead',
      more: 'It does not run by itself unless the project is on autopilot; "beadloom run BEAD" queues it. With --json it prints the bead as "beads show" does.',
      arguments: { title: 'one line that says what to do' },
      examples: [
        'beadloom beads create "Sort the list by name" --priority 1 --type feature',
        'beadloom beads create "Fix the build" --description "npm run build fails since the update"',
        'beadloom beads create "Sort by date too" --depends-on bl-4f2',
        'npm test 2>&1 | beadloom digest | beadloom beads create "Tests fail" -d - --label ci',
        'beadloom run "$(beadloom beads create "Say hello" --json | jq -r .id)" --wait',
      ],
    })
    .addOption(projectOption())
    .option('-d, --description <text>', 'what the agent should know; - reads standard input (default: none)')
    .option('-F, --file <file>', 'read the description from a file; - is standard input')
    .option('--priority <0-4>', '0 is critical, 4 is backlog (default: 2)')
    .option('--type <type>', 'task, bug, feature, chore or epic (default: task)')
    .option('--label <label>', 'label; can be repeated (default: none)', collect)
    .option('--depends-on <bead>', 'a bead that must be done first; can be repeated (default: none)', collect)
    .action(
      context.run(async ({ api, json, args, options }) => {
        if (process.stdin.isTTY && [options['description'], options['file']].includes('-'))
          context.terminal.note('reading the description from standard input; Ctrl-D ends it')
        const bead = await newBeadOf(String(args[0]), options as NewBeadFlags, process.stdin)
        const how = (id: string) => `beadloom beads create … --project ${id}`
        const id = await chooseProject(api, { named: options['project'], cwd: context.cwd, how })
        const filed = await api.send<BeadView>('POST', `/api/projects/${segment(id)}/beads`, bead)
        print(
          context.terminal,
          json,
          filed,
          () =>
            `Created ${oneLiner(filed.id)} in ${oneLiner(filed.project)}. Run it: beadloom run ${oneLiner(filed.id)}`,
        )
      }),
    )
}

function addShow(beads: Command, context: CommandContext): void {
  const { terminal } = context
  context
    .command(beads, {
      usage: 'show <bead>',
      description: 'show a bead: why it is not running, its dependencies, executions and checks',
      arguments: { bead: 'bead id' },
      examples: ['beadloom beads show bl-4f2', 'beadloom beads show bl-4f2 --json | jq .executions[0].state'],
    })
    .addOption(projectOption())
    .action(
      context.run(async ({ api, json, args, options }) => {
        const bead = String(args[0])
        const view = await api.get<BeadView>(await pathOf(api, bead, 'show', options, context))
        const { columns, colour } = terminal
        print(terminal, json, view, () => beadPage(view, { columns, paint: paintOf(colour), now: systemClock.now() }))
      }),
    )
}

function addEdit(beads: Command, context: CommandContext): void {
  context
    .command(beads, {
      usage: 'edit <bead>',
      description: 'change what a bead says, here and in its tracker',
      more: 'Options that you leave out change nothing. The agent of a running bead keeps the texts that it was given; the new ones apply to the next run.',
      arguments: { bead: 'bead id' },
      examples: [
        'beadloom beads edit bl-4f2 --title "Sort the list by name" --priority 1',
        'beadloom beads edit bl-4f2 --add-label ui --remove-label later',
        'beadloom beads edit bl-4f2 --depends-on bl-9a1',
        'beadloom beads edit bl-4f2 --file description.md',
      ],
    })
    .addOption(projectOption())
    .option('--title <text>', 'its title (default: as it is)')
    .option('-d, --description <text>', 'its description; - reads standard input (default: as it is)')
    .option('-F, --file <file>', 'read the description from a file; - is standard input')
    .option('--acceptance <text>', 'its acceptance criteria (default: as they are)')
    .option('--priority <0-4>', '0 is critical, 4 is backlog (default: as it is)')
    .option('--type <type>', 'task, bug, feature, chore or epic (default: as it is)')
    .option('--add-label <label>', 'add a label; can be repeated (default: none)', collect)
    .option('--remove-label <label>', 'remove a label; can be repeated (default: none)', collect)
    .option('--depends-on <bead>', 'a bead that must be done first; can be repeated (default: none)', collect)
    .option('--not-depends-on <bead>', 'no longer waits for this one; can be repeated (default: none)', collect)
    .action(
      context.run(async ({ api, json, args, options }) => {
        const path = await pathOf(api, String(args[0]), 'edit', options, context)
        const before = await api.get<BeadView>(path)
        const change = await editOf(before, options as EditFlags, process.stdin)
        const after = await api.send<BeadView>('PATCH', path, change)
        const fields = Object.keys(change).join(', ')
        print(context.terminal, json, after, () => `Changed ${oneLiner(after.id)}: ${fields}`)
      }),
    )
}

async function pathOf(
  api: ApiClient,
  bead: string,
  verb: string,
  options: Record<string, unknown>,
  { cwd }: CommandContext,
): Promise<string> {
  const how = (id: string) => `beadloom beads ${verb} ${bead} --project ${id}`
  const project = await chooseProjectOf(api, bead, { named: options['project'], cwd, how })
  return `/api/projects/${segment(project)}/beads/${segment(bead)}`
}
