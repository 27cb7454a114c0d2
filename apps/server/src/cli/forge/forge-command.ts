import { Option, type Command } from 'commander'
import { forgeFilePath } from '../../forge/forge-file.ts'
import { kindsOfForges, knownForges } from '../../forge/forge-kinds.ts'
import type { Forge } from '../../forge/forge-settings.ts'
import { forgeKinds } from '../../ports/forge.ts'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode, localExits } from '../exit-code.ts'
import { writeHelp } from '../terminal/help.ts'
import { changeEntries, entriesOf, forgeIn, forgesOf } from './forge-entries.ts'
import { readToken } from './forge-token.ts'
import { entryOf, hostOf, type ForgeFlags } from './forge-flags.ts'
import { print, table } from '../terminal/output.ts'
import { plainText } from '../terminal/terminal-text.ts'

/** `forge add`, `forge list`, `forge remove`: where pull requests are opened, and with which token. */
export function addForgeCommands(program: Command, context: CommandContext): void {
  const forge = writeHelp(program.command('forge').helpCommand(false), {
    description: 'manage forges (GitHub, GitLab, Gitea) and their tokens for pull requests',
    examples: ['beadloom forge list', 'beadloom forge add --help'],
  })
  addForgeAdd(forge, context)
  addForgeList(forge, context)
  addForgeRemove(forge, context)
}

const TOO_MANY =
  'give only the host as an argument. If the other argument was a token, it is now in your shell history: revoke it, and pass a new one on standard input.'

function addForgeAdd(forge: Command, context: CommandContext): void {
  context
    .command(forge, {
      usage: 'add <host>',
      description: 'set the token of a forge, or add your own forge',
      more: `The token is read from standard input; on a terminal it is not shown. It is never an argument, which every user of this machine could read. It is stored in forges.json in the data folder, readable only by you (mode 0600), and sent only to this forge. A running server uses it at once.
Permissions a token needs:
${Object.values(kindsOfForges)
  .map(({ name, permission }) => `${name}: ${permission}.`)
  .join('\n')}`,
      arguments: { host: 'host as in the repository URL, with its port if it has one' },
      examples: [
        'beadloom forge add github.com',
        'pass show codeberg | beadloom forge add codeberg.org',
        'beadloom forge add git.example.org --kind gitlab',
        'beadloom forge add code.example.org --kind gitea --url https://code.example.org:3000',
        'beadloom forge add git.example.org --kind gitea --token-from GIT_EXAMPLE_TOKEN',
      ],
      exits: localExits,
    })
    .addOption(
      new Option(
        '--kind <kind>',
        'what the forge runs; use gitea for Forgejo (default: guessed from the host)',
      ).choices(forgeKinds),
    )
    .option('--url <address>', 'web address (default: https://HOST)')
    .option('--token-from <name>', "variable of the server's environment with the token (default: none)")
    .allowExcessArguments()
    .hook('preAction', (command) => {
      // commander's own message would print it
      if (command.args.length > 1) throw new CliError(TOO_MANY, exitCode.usage)
    })
    .option('--plain-http', 'send the token without TLS, readable by anyone in between (default: no)')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const { data } = api
        const given = String(args[0])
        const host = hostOf(given)
        const flags = options as ForgeFlags
        const entries = entriesOf(data)
        const before = Object.hasOwn(entries, host) ? entries[host] : undefined
        const entry = entryOf(given, flags, before)
        const kind = kindsOfForges[entry.kind]
        const token =
          flags.tokenFrom === undefined
            ? { token: await readToken(process.stdin, `Token for ${host} (${kind.permission}), input hidden: `) }
            : {}
        await changeEntries(data, (entries) => ({ ...entries, [host]: { ...entry, ...token } }))
        const made = viewOf(forgeIn(data, host, context.env))
        print(context.terminal, json, { ...made, file: forgeFilePath(data) }, () =>
          plainText(
            `✓ ${host} (${kind.name} at ${made.url}): the token is ${made.variable ? `read from ${made.variable} in the server's environment` : `in ${forgeFilePath(data)}, readable only by you`}.`,
          ),
        )
      }),
    )
}

function addForgeList(forge: Command, context: CommandContext): void {
  context
    .command(forge, {
      usage: 'list',
      description: 'list forges and where their tokens come from',
      more: "Tokens are never shown. Variables are read from this terminal's environment; the server's may differ.",
      examples: ['beadloom forge list', "beadloom forge list --json | jq -r '.[] | select(.token) | .host'"],
      exits: localExits,
    })
    .action(
      context.run(async ({ api, json }) => {
        const forges = forgesOf(api.data, context.env)
        const rows = forges.map((one) => [one.host, kindsOfForges[one.kind].name, one.web, tokenWords(one)])
        print(context.terminal, json, forges.map(viewOf), () =>
          table([['HOST', 'KIND', 'ADDRESS', 'TOKEN'], ...rows], context.terminal.columns),
        )
      }),
    )
}

function addForgeRemove(forge: Command, context: CommandContext): void {
  context
    .command(forge, {
      usage: 'remove <host>',
      description: "remove a forge's token and settings",
      more: 'The token itself stays valid: revoke it at the forge.',
      arguments: { host: 'host as in "forge list"' },
      examples: ['beadloom forge remove git.example.org'],
      exits: localExits,
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const host = hostOf(String(args[0]))
        const { data } = api
        if (!Object.hasOwn(entriesOf(data), host))
          throw new CliError(`${forgeFilePath(data)} has no entry for ${host}. List the forges: beadloom forge list`)
        await changeEntries(data, (entries) =>
          Object.fromEntries(Object.entries(entries).filter(([name]) => name !== host)),
        )
        const variables = (knownForges.get(host)?.variables ?? []).filter((name) => context.env[name])
        const still = variables.length > 0 ? ` ${variables.join(' and ')} in the environment still applies.` : ''
        print(context.terminal, json, { removed: host }, () =>
          plainText(`Removed ${host}. Its token stays valid: revoke it at the forge.${still}`),
        )
      }),
    )
}

/** The view for programs. `token`: where it is stored, null if there is none. */
function viewOf({ host, kind, web, token, tokenFrom, problem }: Forge) {
  const variable = tokenFrom === 'file' ? null : tokenFrom
  const from = tokenFrom === 'file' ? 'file' : 'environment'
  return { host, kind, url: web, token: token === null ? null : from, variable, problem }
}

function tokenWords({ host, token, tokenFrom, problem }: Forge): string {
  if (problem !== null) return problem
  if (token !== null) return tokenFrom === 'file' ? 'in forges.json' : `${tokenFrom} (environment)`
  return `none: beadloom forge add ${host}${tokenFrom === null ? '' : `, or set ${tokenFrom}`}`
}
