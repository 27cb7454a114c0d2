import { Option, type Command } from 'commander'
import { forgeFilePath } from '../../forge/forge-file.ts'
import { kindsOfForges, knownForges } from '../../forge/forge-kinds.ts'
import type { Forge } from '../../forge/forge-settings.ts'
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
    description: 'where pull requests are opened, and the tokens for it',
    examples: ['beadloom forge list', 'beadloom forge add --help'],
  })
  addForgeAdd(forge, context)
  addForgeList(forge, context)
  addForgeRemove(forge, context)
}

const TOO_MANY =
  'only the host is an argument. If the other one was a token, it is in the history of your shell now: revoke it, and give the new one on standard input.'

function addForgeAdd(forge: Command, context: CommandContext): void {
  context
    .command(forge, {
      usage: 'add <host>',
      description: 'set the token of a forge, or name a forge of your own',
      more: `The token is read from standard input, on a terminal without showing it; it is never an argument, which everybody on the machine could read. It is kept in forges.json in the data folder, for its owner alone (mode 0600), and sent to this forge and nowhere else. A running server uses it at once.
What a token has to be allowed:
${Object.values(kindsOfForges)
  .map(({ name, permission }) => `${name}: ${permission}.`)
  .join('\n')}`,
      arguments: { host: 'as in the URL of the repository, with its port where it has one' },
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
      new Option('--kind <kind>', 'which software it is; Forgejo is gitea (default: as its name says)').choices([
        'github',
        'gitlab',
        'gitea',
      ]),
    )
    .option('--url <address>', 'address of its pages (default: https://HOST)')
    .option('--token-from <name>', "a variable of the server's environment that holds the token (default: none)")
    .allowExcessArguments()
    .hook('preAction', (command) => {
      // commander's own sentence would print it
      if (command.args.length > 1) throw new CliError(TOO_MANY, exitCode.usage)
    })
    .option('--plain-http', 'let the token go over http without TLS: everybody between can read it (default: no)')
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
            ? { token: await readToken(process.stdin, `Token for ${host} (${kind.permission}), not shown: `) }
            : {}
        await changeEntries(data, (entries) => ({ ...entries, [host]: { ...entry, ...token } }))
        const made = viewOf(forgeIn(data, host, context.env))
        print(context.terminal, json, { ...made, file: forgeFilePath(data) }, () =>
          plainText(
            `✓ ${host} (${kind.name} at ${made.url}): the token is ${made.variable ? `what ${made.variable} holds where the server starts` : `in ${forgeFilePath(data)}, for this user alone`}.`,
          ),
        )
      }),
    )
}

function addForgeList(forge: Command, context: CommandContext): void {
  context
    .command(forge, {
      usage: 'list',
      description: 'list the forges, and where the token of each comes from',
      more: 'Tokens are never shown. Variables are looked for in the environment of this terminal; the server has its own.',
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
      description: 'forget what was set for a forge, its token first of all',
      more: 'The token is still good at the forge: revoke it there.',
      arguments: { host: 'as in the list' },
      examples: ['beadloom forge remove git.example.org'],
      exits: localExits,
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const host = hostOf(String(args[0]))
        const { data } = api
        if (!Object.hasOwn(entriesOf(data), host))
          throw new CliError(
            `${forgeFilePath(data)} has nothing for ${host}: "beadloom forge list" shows what there is.`,
          )
        await changeEntries(data, (entries) =>
          Object.fromEntries(Object.entries(entries).filter(([name]) => name !== host)),
        )
        const variables = (knownForges.get(host)?.variables ?? []).filter((name) => context.env[name])
        const still = variables.length > 0 ? ` ${variables.join(' and ')} of the environment still counts.` : ''
        print(context.terminal, json, { removed: host }, () =>
          plainText(`Removed ${host}. Its token is still good there: revoke it on its page.${still}`),
        )
      }),
    )
}

/** For programs. `token`: where it is, null where there is none. */
function viewOf({ host, kind, web, token, tokenFrom, problem }: Forge) {
  const variable = tokenFrom === 'file' ? null : tokenFrom
  const from = tokenFrom === 'file' ? 'file' : 'environment'
  return { host, kind, url: web, token: token === null ? null : from, variable, problem }
}

function tokenWords({ host, token, tokenFrom, problem }: Forge): string {
  if (problem !== null) return problem
  if (token !== null) return tokenFrom === 'file' ? 'in forges.json' : `${tokenFrom} (environment)`
  return `none: beadloom forge add ${host}${tokenFrom === null ? '' : `, or ${tokenFrom}`}`
}
