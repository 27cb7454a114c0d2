import { isHost, isVariable, mayBeAsked, webAddress, type ForgeEntry } from '../../forge/forge-file.ts'
import { anyKind, kindByName, knownForges, otherNames } from '../../forge/forge-kinds.ts'
import type { ForgeKind } from '../../ports/forge.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

export type ForgeFlags = { kind?: ForgeKind; url?: string; tokenFrom?: string; plainHttp?: boolean }

const wrong = (message: string): CliError => new CliError(message, exitCode.usage)
const shown = (text: string): string => oneLiner(text).slice(0, 100)

/** The host in `git.example.org:3000`, in a whole address, or behind another name of a known forge. */
export function hostOf(given: string): string {
  const text = given.trim().toLowerCase()
  const host = /^https?:\/\//.test(text) ? (URL.parse(text)?.host ?? '') : text.replace(/\/+$/, '')
  // Text without a dot could be a token in the wrong place.
  const said = /[.:]/.test(given) ? `"${shown(given.replace(/\/\/[^/]*@/, '//'))}"` : 'that'
  if (!isHost(host)) throw wrong(`${said} is not a host name: give it as in the repository URL, like git.example.org`)
  return otherNames.get(host) ?? host
}

/** A forge's entry without its token: the flags, else the stored values. */
export function entryOf(given: string, flags: ForgeFlags, before: ForgeEntry | undefined): ForgeEntry {
  const host = hostOf(given)
  const known = knownForges.get(host)?.kind
  const kind = flags.kind ?? before?.kind ?? kindByName(host)
  if (kind === null) throw wrong(`Beadloom does not know what ${host} runs. Add ${anyKind((one) => `--kind ${one}`)}`)
  if (known && kind !== known) throw wrong(`${host} is ${known}, not ${kind}`)
  if (flags.tokenFrom !== undefined && !isVariable(flags.tokenFrom))
    throw wrong(
      '--token-from takes the name of a variable in capital letters, such as GIT_EXAMPLE_TOKEN; a token is never an argument',
    )
  const url = addressOf(given, flags.url) ?? before?.url
  const plainHttp = flags.plainHttp ?? before?.plainHttp ?? false
  if (!mayBeAsked(url, plainHttp))
    throw wrong(
      `${shown(url ?? '')} is plain http, so anyone in between could read the token: use https, or add --plain-http`,
    )
  return {
    kind,
    ...(flags.tokenFrom !== undefined && { tokenFrom: flags.tokenFrom }),
    ...(url !== undefined && { url }),
    ...(plainHttp && { plainHttp }),
  }
}

/** The web address. People also copy the API's address, which is converted. */
function addressOf(given: string, url: string | undefined): string | undefined {
  const whole = /^https?:\/\//i.test(given.trim()) ? given.trim() : undefined
  const text = url ?? whole
  if (text === undefined) return undefined
  const address = webAddress(text)
  if (address === null) throw wrong('--url takes an address like https://git.example.org, without a user or a password')
  const web = address.replace(/\/api\/v\d+$/, '')
  return url === undefined && web === `https://${hostOf(given)}` ? undefined : web
}
