import { asCommand, asLine, asWord } from './unit-words.ts'

export const UNIT = 'beadloom.service'

/** The differences between two services. All of it is `isSafe`. */
export type UnitFacts = {
  /** Absolute paths. */
  node: string
  bin: string
  data: string
  /** For keys: a file with `NAME=value` lines, which may be missing. */
  environmentFile: string
  /** Variables without secrets, from the terminal in which the service was installed. */
  variables: Readonly<Record<string, string>>
  /** Root's service makes base images from Debian's packages, which needs rights that other users do not have. */
  isRoot: boolean
}

const MARK =
  '# Made by "beadloom service install", which writes it anew. Your own changes: systemctl --user edit beadloom'
const DATA = '# Data folder: '

/** Whether we wrote this text of a unit file. */
export const isOurs = (text: string): boolean => text.startsWith(`${MARK}\n`)

/** The data folder of a unit file that is ours. */
export const dataOf = (text: string): string | null =>
  text
    .split('\n')
    .find((line) => line.startsWith(DATA))
    ?.slice(DATA.length) ?? null

/**
 * The unit. It has no ordering: a user's manager knows neither Docker nor the network, and the server waits for both.
 * The exit codes 1 and 2 are refusals with a sentence, which the next start would repeat.
 *
 * Uses only sandboxing that needs no namespace of its own, because many systems refuse namespaces to ordinary users,
 * and with a private /tmp the engine would not find the sockets of its containers. Uses neither `UMask` nor
 * `RestrictSUIDSGID`: git sets such modes in repositories that several people share, and a push into one would fail.
 */
export function unitFile({ node, bin, data, environmentFile, variables, isRoot }: UnitFacts): string {
  return `${MARK}
${DATA}${data}
[Unit]
Description=Beadloom
StartLimitIntervalSec=600
StartLimitBurst=6

[Service]
Type=exec
ExecStart=${asCommand([node, bin, 'start', '--data', data])}
${Object.entries(variables)
  .map(([name, value]) => `Environment=${asWord(`${name}=${value}`)}\n`)
  .join('')}EnvironmentFile=-${asLine(environmentFile)}
WorkingDirectory=~
Restart=on-failure
RestartPreventExitStatus=1 2
RestartSec=2
KillMode=mixed
TimeoutStopSec=15
OOMPolicy=continue
LimitNOFILE=16384
LimitCORE=0
${hardening(isRoot)}
[Install]
WantedBy=default.target
`
}

const hardening = (isRoot: boolean): string => `NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=~@clock @cpu-emulation @debug @module @obsolete @raw-io @reboot @swap${
  isRoot
    ? '\n'
    : ` @mount
RestrictNamespaces=yes
`
}`

/** The lines that only one of them has, in the form of a diff. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ]
}
