import { EngineError } from '../../ports/engine.ts'
import { nameOf, type SshAddress } from './address.ts'

/** The first matching pattern decides. ssh, sshd's shell and docker all write to the same standard error. */
const table: { pattern: RegExp; connected: boolean; sentence: (name: string, host: string) => string }[] = [
  {
    pattern: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    connected: false,
    sentence: (name, host) =>
      `the host key of ${name} is not known. Connect once by hand as the user who runs the server (ssh ${host}) and confirm the key`,
  },
  {
    pattern: /Permission denied \(|Too many authentication failures|No supported authentication/i,
    connected: false,
    sentence: (name, host) =>
      `${name} refused the ssh key, and Beadloom never types a password. Make \`ssh -o BatchMode=yes ${host} docker version\` work for the user who runs the server (ssh-copy-id, ssh-add)`,
  },
  {
    pattern: /permission denied.*(?:Docker|connect)|connect: permission denied/i,
    connected: true,
    sentence: (name) =>
      `the user that ssh signs in as may not use Docker on ${name}. Add it to the group docker there (sudo usermod -aG docker USER)`,
  },
  {
    pattern:
      /Cannot connect to the Docker daemon|Is the docker daemon running|failed to open the raw stream connection/i,
    connected: true,
    sentence: (name) => `Docker does not answer on ${name}. Start it there (sudo systemctl start docker)`,
  },
  {
    pattern:
      /Could not resolve|Connection (?:refused|timed out|reset)|No route to host|unreachable|Operation timed out/i,
    connected: false,
    sentence: (name) => `${name} cannot be reached by ssh. Check the address and the network, and that sshd runs there`,
  },
  {
    pattern: /is not a docker command|unknown (?:command|flag|docker command)/i,
    connected: true,
    sentence: (name) => `the docker command of ${name} is too old. Install Docker 20.10 or later there`,
  },
  {
    pattern: /not found|No such file or directory/i,
    connected: true,
    sentence: (name) =>
      `there is no docker command on ${name}. Install Docker's command there, in the PATH of commands that ssh starts`,
  },
]

const SHOWN_CHARACTERS = 300

/** The end of an ssh process: its exit code or signal, and the end of its standard error. */
export type SshEnd = { code: number | null; signal: string | null; stderr: string }

/**
 * Explains why a connection by ssh is gone. If it had been made, the cause is that of a broken connection: the engine
 * may have done what it was asked.
 */
export function sshError(address: SshAddress, { code, signal, stderr }: SshEnd): EngineError {
  const name = nameOf(address)
  const words = lastWords(stderr)
  const found = table.find(({ pattern }) => pattern.test(stderr))
  const broken = Object.assign(new Error(`the connection to ${name} broke`), { code: 'ECONNRESET' })
  const cause = found?.connected === false ? {} : { cause: broken }
  const said = words === '' ? '' : ` (ssh: ${words})`
  if (found) return new EngineError('unreachable', `${found.sentence(name, destination(address))}${said}`, cause)
  const how = signal === null ? `exit code ${code}` : signal
  return new EngineError('unreachable', `the connection to ${name} by ssh ended (${how})${said}`, cause)
}

export const noSsh = (address: SshAddress): EngineError =>
  new EngineError(
    'unreachable',
    `${nameOf(address)} needs the program ssh, which is not there: install it (sudo apt-get install openssh-client)`,
  )

/** The destination as typed after `ssh`. */
const destination = ({ host, user, port }: SshAddress): string =>
  [...(port === null ? [] : ['-p', port]), user === null ? host : `${user}@${host}`].join(' ')

function lastWords(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((line) => line.trim())
  return lines
    .filter((line) => line !== '' && !/^[@-]+$|^Warning: Permanently added/.test(line))
    .slice(-3)
    .join(' | ')
    .slice(-SHOWN_CHARACTERS)
}
