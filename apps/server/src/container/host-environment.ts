import { messageOf } from '@beadloom/core/text/message-of.ts'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The variables that tell programs which certificates to trust, and Debian's folder for added certificates. */
const TRUST_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE',
  'PIP_CERT',
  'GIT_SSL_CAINFO',
]
const SYSTEM_ADDITIONS = '/usr/local/share/ca-certificates'
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

export type HostEnvironment = {
  /**
   * Every certificate that the host was told to trust, as PEM without duplicates; null when there are only the usual
   * ones.
   */
  caBundle: string | null
  /**
   * Proxy variables for containers with network; the link's address never goes through a proxy. Variables with a
   * password are left out: no credential is in a container, nor in the history of an image.
   */
  proxy: Record<string, string>
  /** Sentences about files that cannot be read, and about variables that are not passed on. */
  problems: string[]
}

/** Reads the settings of a host behind a company's proxy. A file that cannot be read is a problem in the result. */
export async function readHostEnvironment(
  env: Record<string, string | undefined>,
  systemAdditions = SYSTEM_ADDITIONS,
): Promise<HostEnvironment> {
  const problems: string[] = []
  const certificates = new Set<string>()
  const add = (text: string): void => {
    for (const found of text.match(CERTIFICATE) ?? []) certificates.add(found.replaceAll('\r', ''))
  }
  for (const name of TRUST_VARIABLES) {
    const path = env[name]
    if (!path) continue
    try {
      add(await readFile(path, 'utf8'))
    } catch (error) {
      problems.push(`${name}=${path} cannot be read: ${messageOf(error)}`)
    }
  }
  for (const path of await certificateFiles(systemAdditions)) add(await readFile(path, 'utf8').catch(() => ''))
  // Sorted: the same certificates then give the same image, in whatever order they were found.
  const caBundle = certificates.size === 0 ? null : `${[...certificates].toSorted().join('\n')}\n`
  return { caBundle, proxy: proxyOf(env, problems), problems }
}

/** With and without a scheme, and even if it is no address but has an @. */
const hasPassword = (value: string): boolean => value.includes('@')

async function certificateFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names.filter((name) => name.endsWith('.crt')).map((name) => join(folder, name))
}

function proxyOf(env: Record<string, string | undefined>, problems: string[]): Record<string, string> {
  const proxy: Record<string, string> = {}
  for (const name of PROXY_VARIABLES) {
    const value = env[name]
    if (!value) continue
    if (!hasPassword(value)) proxy[name] = value
    else
      problems.push(
        `${name} has a user name or a password, so containers and image builds do not get it: run a proxy on this machine that adds them (cntlm, px), and set ${name} to that`,
      )
  }
  if (Object.keys(proxy).length === 0) return {}
  const without = [env['NO_PROXY'] ?? env['no_proxy'], '127.0.0.1', 'localhost'].filter(Boolean).join(',')
  return { ...proxy, NO_PROXY: without, no_proxy: without }
}
