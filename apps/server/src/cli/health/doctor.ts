import type { Command } from 'commander'
import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { LOCAL_ENGINE, usualEngineOf } from '@beadloom/core/records/engine-name.ts'
import { readConfigFile } from '../../process/settings/config-file.ts'
import { hasOwnNetwork } from '../../process/own-container.ts'
import { dataFolder, readSettings, type ServerSettings } from '../../process/settings/settings.ts'
import { checkBackups } from '../../health/backup-check.ts'
import { checkDatabase } from '../../health/database-check.ts'
import { defaultScenarios } from '../../process/own-files.ts'
import { jsonFlag, type CommandContext } from '../context.ts'
import { CliError, exitCode, localExits } from '../exit-code.ts'
import {
  checkBuilt,
  checkData,
  checkDocker,
  checkEngines,
  checkGit,
  checkImages,
  checkLimits,
  checkModel,
  checkNode,
  checkPort,
  checkTracker,
} from '../../health/health-checks.ts'
import { checkFiles } from '../../health/files-check.ts'
import { checkForge } from '../../health/forge-check.ts'
import { checkSigning } from '../../health/signing-check.ts'
import { probeText } from './probe-view.ts'
import { runProbe } from './run-probe.ts'
import { writeHelp } from '../terminal/help.ts'
import { print } from '../terminal/output.ts'
import { paintOf, type Paint } from '../terminal/paint.ts'
import { oneLiner, wrapText } from '../terminal/terminal-text.ts'

const NAME_COLUMNS = 9

type Flags = { data?: string; port?: string; json?: boolean; probe?: boolean }

export function addDoctorCommand(program: Command, context: CommandContext): void {
  const doctor = program
    .command('doctor')
    .option(
      '--data <folder>',
      'data folder (default: BEADLOOM_DATA, else beadloom in $XDG_DATA_HOME or ~/.local/share)',
    )
    .option('--port <number>', 'port to check (default: BEADLOOM_PORT, else 4600)')
    .option('--probe', 'run docker/sandbox-probe.sh in a sandbox instead, and print what it can reach, hold and do')
    .option('--json', jsonFlag.document)
  writeHelp(doctor, {
    description: 'check everything Beadloom needs, and say how to fix what is missing',
    more: `It changes nothing and needs no running server. The exit code is 1 when a check fails.\nThe line "docker" says which container engine was taken, why, and which were passed over.\n\n${PROBE_SAYS}`,
    examples: ['beadloom doctor', 'beadloom doctor --probe', "beadloom doctor --json | jq '.[] | select(.ok | not)'"],
    exits: localExits,
  }).action(async (flags: Flags) => {
    if (flags.probe === true) return probe(flags, context)
    const checks = await examine(flags, context)
    const { terminal } = context
    print(terminal, flags.json === true, checks, () =>
      checks.map((check) => linesOf(check, terminal.columns, paintOf(terminal.colour))).join('\n'),
    )
    if (checks.some(({ ok }) => !ok)) process.exitCode = exitCode.failed
  })
}

const PROBE_SAYS =
  'With --probe a sandbox examines itself, with the network and the limits of the beadloom.json here, or the defaults. It has what an agent would have, except that nobody answers on its link. "yes" means that it can, "?" that there was no tool to try it with. The same script runs in any other sandbox (docs/isolation.md).'

async function probe(flags: Flags, { env, cwd, terminal }: CommandContext): Promise<void> {
  const settings = await settingsOf(flags, env, cwd)
  if (Array.isArray(settings)) throw new CliError(settings.map(({ text }) => text).join('\n'))
  const report = await runProbe(settings, env, cwd)
  print(terminal, flags.json === true, report, () => probeText(report, terminal.columns, paintOf(terminal.colour)))
}

function linesOf({ name, ok, text, fix }: Check, columns: number, paint: Paint): string {
  const room = Math.max(20, columns - NAME_COLUMNS - 2)
  const lines = [...wrapText(oneLiner(text), room), ...(fix ? wrapText(`→ ${oneLiner(fix)}`, room) : [])]
  const indent = ' '.repeat(NAME_COLUMNS + 2)
  return `${ok ? paint.green('✓') : paint.red('✕')} ${name.padEnd(NAME_COLUMNS)}${lines.join(`\n${indent}`)}`
}

async function examine(flags: Flags, { env, cwd }: CommandContext): Promise<Check[]> {
  const settings = await settingsOf(flags, env, cwd)
  const machine = [
    checkNode(),
    await checkBuilt(),
    await checkDocker(env, Array.isArray(settings) ? {} : { slots: slotsHere(settings), runtime: settings.runtime }),
    ...(Array.isArray(settings) ? [] : [await checkLimits(env, settings)]),
    await checkImages(env),
    await checkGit(env),
    await checkTracker(cwd, env, Array.isArray(settings) ? null : settings),
  ]
  if (Array.isArray(settings)) return [...settings, ...machine]
  return [
    ...machine,
    ...(await checkEngines(settings, env)),
    await checkForge(cwd, settings.data, env),
    await checkData(settings.data),
    await checkDatabase(settings.data),
    checkFiles(settings.slots),
    await checkBackups(settings),
    checkModel(settings),
    ...(await checkSigning(settings, env)),
    await checkPort(settings),
  ]
}

/** The slots of the usual engine; undefined on a cluster, where slots do not share this host's memory. */
const slotsHere = ({ engine, slots }: ServerSettings): number | undefined =>
  usualEngineOf(engine) === LOCAL_ENGINE ? slots : undefined

async function settingsOf(flags: Flags, env: CommandContext['env'], cwd: string): Promise<ServerSettings | Check[]> {
  try {
    const data = dataFolder(flags.data, env, cwd)
    const configFile = await readConfigFile(data)
    return readSettings({
      ownNetwork: hasOwnNetwork(),
      flags: { data, port: flags.port },
      env,
      configFile,
      cwd,
      defaults: { scenarios: defaultScenarios },
    })
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((text) => ({ name: 'settings', ok: false, text }))
    if (error instanceof CliError) return [{ name: 'settings', ok: false, text: error.message }]
    throw error
  }
}
