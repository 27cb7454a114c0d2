import type { Command } from 'commander'
import type { SecretView } from '@beadloom/core/api/settings/secrets-api.ts'
import { segment } from '../api-client.ts'
import { chooseProject } from '../choose.ts'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { secretProblem } from '@beadloom/core/project/variables.ts'
import { readHidden } from '../terminal/read-hidden.ts'
import { writeHelp } from '../terminal/help.ts'
import { print, table } from '../terminal/output.ts'

type Listed = { items: SecretView[] }

const TOO_MANY =
  'give only the project and the name as arguments. If the third was the value, it is now in your shell history: replace it where it comes from, and pass the new one on standard input.'

/** `secret set|list|remove`: the secrets in the environment of a project's setup. */
export function addSecretCommands(program: Command, context: CommandContext): void {
  const secret = writeHelp(program.command('secret').helpCommand(false), {
    description: "manage the secrets that a project's setup needs, such as a token of a private registry",
    examples: ['beadloom secret list', 'beadloom secret set library NPM_TOKEN'],
  })
  context
    .command(secret, {
      usage: 'set <project> <name>',
      description: 'set a secret',
      more: 'The value is read from standard input; on a terminal it is not shown. It is never an argument, which every user of this machine could read. It is stored on the server, readable only by its user, given to setup alone, and never shown again. "secrets" in beadloom.json says which ones setup gets.',
      arguments: { project: 'project id', name: 'name of the variable' },
      examples: ['beadloom secret set library NPM_TOKEN', 'pass show npm | beadloom secret set library NPM_TOKEN'],
    })
    .allowExcessArguments()
    .hook('preAction', (command) => {
      // commander's own message would print it
      if (command.args.length > 2) throw new CliError(TOO_MANY, exitCode.usage)
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const [project, name] = [String(args[0]), String(args[1])]
        const value = await readHidden(process.stdin, `Value of ${name}: `)
        if (value === '') throw new CliError('standard input has no value. Nothing was changed.', exitCode.usage)
        const wrong = secretProblem(value)
        if (wrong !== null) throw new CliError(`the value of ${name} ${wrong}. Nothing was changed.`, exitCode.usage)
        const answer = await api.send<Listed>('PUT', pathOf(project, name), { value })
        print(context.terminal, json, answer, () => {
          const unwanted = answer.items.some((one) => one.name === name && !one.wanted)
          return `${name} is set.${unwanted ? ` Setup gets it once "secrets" in beadloom.json of ${project} names it.` : ''}`
        })
      }),
    )
  context
    .command(secret, {
      usage: 'list [project]',
      description: 'show which secrets setup needs, and which are set; never their values',
      arguments: { project: 'project id (default: the project whose folder you are in, or the only one)' },
      examples: ['beadloom secret list', 'beadloom secret list library --json'],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const how = (id: string) => `beadloom secret list ${id}`
        const id = await chooseProject(api, { named: args[0], cwd: context.cwd, how })
        const answer = await api.get<Listed>(`/api/projects/${segment(id)}/secrets`)
        print(context.terminal, json, answer, () =>
          answer.items.length === 0
            ? `${id} needs no secrets.`
            : table(answer.items.map((one) => [one.name, stateOf(one, id)])),
        )
      }),
    )
  context
    .command(secret, {
      usage: 'remove <project> <name>',
      description: 'remove a secret',
      arguments: { project: 'project id', name: 'name of the variable' },
      examples: ['beadloom secret remove library NPM_TOKEN'],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const [project, name] = [String(args[0]), String(args[1])]
        const answer = await api.send<Listed>('DELETE', pathOf(project, name))
        print(context.terminal, json, answer, () => `Removed ${name}. If it is not needed any more, revoke it.`)
      }),
    )
}

const pathOf = (project: string, name: string): string => `/api/projects/${segment(project)}/secrets/${segment(name)}`

const stateOf = ({ name, set, wanted }: SecretView, project: string): string =>
  set ? (wanted ? 'set' : 'set, but no setting names it') : `missing: beadloom secret set ${project} ${name}`
