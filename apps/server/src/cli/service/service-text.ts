import { plainText } from '../terminal/terminal-text.ts'
import type { Installed, ServiceStatus } from './service.ts'

const NAME_COLUMNS = 13
const fact = (name: string, text: string): string => `  ${name.padEnd(NAME_COLUMNS)}${text}`

const LINGER = '"loginctl enable-linger" keeps it running while you are not logged in, and starts it with the machine.'
const LOG = 'journalctl --user -u beadloom -f'

type Missing = { missing: readonly string[]; environmentFile: string; sudo: string | null }

export function installedText(done: Installed, { missing, environmentFile, sudo }: Missing): string {
  const { url, change, changes, unit, data, lingers } = done
  const words = { new: 'installed', changed: 'changed', none: 'as it was' }[change]
  const lines = [
    url === null
      ? '! The service has started, but does not answer yet: see its log.'
      : `✓ Beadloom runs as a service at ${url}. "beadloom status" prints the link to the dashboard.`,
    fact('Unit', `${unit} (${words})`),
    ...changes.map((line) => `    ${line}`),
    fact('Data folder', data),
    fact('Log', LOG),
    ...(lingers === true ? [] : [`! It ends when you log out. ${LINGER}`]),
  ]
  if (missing.length > 0)
    lines.push(
      `! Set here, but not in the service: ${missing.join(', ')}. If it needs them, put them into ${environmentFile} (NAME=value lines, mode 0600), then run "systemctl --user restart beadloom".`,
    )
  if (sudo !== null)
    lines.push(`! This is root's service, not that of ${sudo}: run the command without sudo for yours.`)
  return plainText(lines.join('\n'))
}

export function statusText({ unit, installed, foreign, data, changes, state, url, lingers }: ServiceStatus): string {
  if (foreign !== null) return plainText(`! ${foreign}`)
  if (!installed)
    return plainText(`The service is not installed (there is no ${unit}). Install it with "beadloom service install".`)
  const runs = state.pid !== null
  const lines = [
    `${runs ? '✓' : '✕'} ${state.state}${runs ? ` (process ${state.pid})` : ` (${state.result})`}, ${state.enabled}${url === null ? '' : `: ${url}`}`,
    fact('Unit', unit),
    ...(data === null ? [] : [fact('Data folder', data)]),
    fact('Log', LOG),
  ]
  if (!runs) lines.push('Start it with "systemctl --user start beadloom".')
  if (lingers === false) lines.push(`! It ends when you log out. ${LINGER}`)
  if (changes.length > 0)
    lines.push('! "beadloom service install" from here would change its unit:', ...changes.map((line) => `    ${line}`))
  return plainText(lines.join('\n'))
}

export const uninstalledText = (unit: string, removed: boolean): string =>
  plainText(
    removed
      ? `Stopped and removed ${unit}. Agents keep running; "beadloom start" reattaches to them. The data folder stays.`
      : `There is nothing to remove: there is no ${unit}.`,
  )
