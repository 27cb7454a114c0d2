import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../../process/clock.ts'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode, localExits } from '../exit-code.ts'
import { NoServer, runningServer } from '../../health/server-file.ts'
import { resolveSettings } from '../server/start.ts'
import { writeHelp } from '../terminal/help.ts'
import { print } from '../terminal/output.ts'
import { askProgramWith } from './ask-program.ts'
import { install, status, uninstall, type ServiceDeps } from './service.ts'
import { installedText, statusText, uninstalledText } from './service-text.ts'
import { UNIT, unitFile, type UnitFacts } from './unit-file.ts'
import { configFolder, unitPath } from './unit-on-disk.ts'
import { noServiceOn, UserManager } from './user-manager.ts'
import { leftOut, ownProgram, whatStarts } from './what-starts.ts'

/** `service install`, `service status`, `service uninstall`: Beadloom as a service of systemd, of this user. */
export function addServiceCommands(program: Command, context: CommandContext): void {
  const service = writeHelp(program.command('service').helpCommand(false), {
    description: 'run the server as a systemd service of your user',
    examples: ['beadloom service install', 'beadloom service status', 'beadloom service uninstall'],
    exits: localExits,
  })
  addInstall(service, context)
  addStatus(service, context)
  addUninstall(service, context)
}

function addInstall(service: Command, context: CommandContext): void {
  const { terminal, env } = context
  context
    .command(service, {
      usage: 'install',
      description: 'install the service, start it now and at every login',
      more: `It writes ${UNIT} into $XDG_CONFIG_HOME/systemd/user (default: ~/.config/systemd/user). The service starts the Beadloom that runs this command, on this data folder, and starts it again when it crashes. It gets PATH, Docker's variables, those for certificates and BEADLOOM_… from this terminal; other settings belong in config.json in the data folder. Keys belong in $XDG_CONFIG_HOME/beadloom/env (NAME=value lines, mode 0600): everybody can read a unit.
Running it again changes nothing. After an update, "systemctl --user restart beadloom" starts the new version: agents keep running. A unit that this command did not write is never replaced.`,
      examples: [
        'beadloom service install',
        'beadloom service install --data /srv/beadloom',
        'beadloom service install --print     # the unit; changes nothing',
        'loginctl enable-linger               # also while you are not logged in',
      ],
      exits: localExits,
    })
    .option('--print', 'print the unit and change nothing')
    .action(
      context.run(async ({ api, json, options }) => {
        const facts = factsOf(context, api.data)
        if (options['print'] === true)
          return print(terminal, json, { unit: pathOf(context), text: unitFile(facts) }, () => unitFile(facts))
        const deps = depsOf(context)
        // A running service is not replaced by one that refuses to start.
        await resolveSettings({ data: facts.data }, facts.variables, context.cwd)
        const done = await install(facts, deps)
        const missing = leftOut(env)
        print(terminal, json, { ...done, missing, environmentFile: facts.environmentFile }, () =>
          installedText(done, { missing, environmentFile: facts.environmentFile, sudo: env['SUDO_USER'] ?? null }),
        )
      }),
    )
}

function addStatus(service: Command, context: CommandContext): void {
  context
    .command(service, {
      usage: 'status',
      description: 'show whether the service is installed and runs',
      more: '"beadloom status" shows what the server does.',
      examples: ['beadloom service status', 'beadloom service status --json | jq .state'],
      exits: [...localExits, 'noServer'],
    })
    .action(
      context.run(async ({ json }) => {
        const now = await status((data) => tried(() => factsOf(context, data)), depsOf(context))
        print(context.terminal, json, now, () => statusText(now))
        if (now.state.pid === null) process.exitCode = exitCode.noServer
      }),
    )
}

function addUninstall(service: Command, context: CommandContext): void {
  context
    .command(service, {
      usage: 'uninstall',
      description: 'stop the service and remove its unit',
      more: 'Agents keep running, and the next start reattaches to them. The data folder and the file with keys stay.',
      examples: ['beadloom service uninstall'],
      exits: localExits,
    })
    .action(
      context.run(async ({ json }) => {
        const path = pathOf(context)
        const removed = await uninstall(depsOf(context))
        print(context.terminal, json, { unit: path, removed }, () => uninstalledText(path, removed))
      }),
    )
}

const pathOf = ({ env }: CommandContext): string => unitPath(configFolder(env))

function factsOf({ env, cwd }: CommandContext, data: string): UnitFacts {
  const environmentFile = join(configFolder(env), 'beadloom', 'env')
  return whatStarts(ownProgram(), data, environmentFile, { env, cwd, isRoot: process.getuid?.() === 0 })
}

function depsOf(context: CommandContext): ServiceDeps {
  const none = noServiceOn(process.platform)
  if (none !== null) throw new CliError(none)
  const ask = askProgramWith(context.env)
  return {
    manager: new UserManager(ask, { user: userInfo().username, isBooted: existsSync('/run/systemd/system') }),
    path: pathOf(context),
    serverOn: (data) =>
      runningServer(data).catch((error) => {
        if (error instanceof NoServer) return null
        throw error
      }),
    cgroupOf: (pid) => readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => null),
    lastWords: async () => {
      const ended = await ask('journalctl', ['--user', '--unit', UNIT, '--lines=10', '--output=cat', '--no-pager'])
      return ended === 'missing' || ended.out === '' ? '(nothing in the journal)' : ended.out.trimEnd()
    },
    clock: systemClock,
  }
}

function tried<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof CliError) return null
    throw error
  }
}
