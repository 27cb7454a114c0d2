// @suite contract-long
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../ports/engine.ts'
import { tarOf } from './image-files.ts'
import { dockerIsHere, DockerWorld, never } from '../testing/docker-world.ts'

const here = await dockerIsHere(process.env)

/** A real certificate of nobody (self-signed, its key thrown away), in the form of a company's. */
const COMPANY_CA = `-----BEGIN CERTIFICATE-----
MIIBkzCCATmgAwIBAgIUUX6S1dXvB/Zj6KxwBMJghQ3axdswCgYIKoZIzj0EAwIw
HjEcMBoGA1UEAwwTQSBjb21wYW55IG9mIG5vYm9keTAgFw0yNjExMjEyMjQyMzBa
GA8yMTI2MTAyODIyNDIzMFowHjEcMBoGA1UEAwwTQSBjb21wYW55IG9mIG5vYm9k
eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDIJ4koguqmhQV9A0Red0WdPwaRN
fF9huDISUUInRq7EQBp16ir6N8GQweX/wMCuEXzjjzdqOn5ouUiWsRDabg2jUzBR
MB0GA1UdDgQWBBTw9Tu35jK3ji1tD/JM3KlYhWwhRDAfBgNVHSMEGDAWgBTw9Tu3
5jK3ji1tD/JM3KlYhWwhRDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gA
MEUCIAE2JC/qNmBbJ7e2H/EyFyX8uTZ2sUcBAMsULsCc+8fAAiEA7wIDKaGosput
uWGxQsXMbkdtmpuZmTaRktaWv/aIcSM=
-----END CERTIFICATE-----
`

/** Another of that kind. */
const OTHER_CA = `-----BEGIN CERTIFICATE-----
MIIBozCCAUmgAwIBAgIUB7LOcgDYCTrq59kBHzFRzljJWhAwCgYIKoZIzj0EAwIw
JjEkMCIGA1UEAwwbQW5vdGhlciBjb21wYW55J3MgYXV0aG9yaXR5MCAXDTI2MTEy
MzIwMjkxNFoYDzIxMjYxMDMwMjAyOTE0WjAmMSQwIgYDVQQDDBtBbm90aGVyIGNv
bXBhbnkncyBhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT/HgAP
cfGhDdcVxnBkPeLoMOkx2y+lWeP9i8e4f388WfgwybgLUuvMJgprfQ4fWgtsEkhx
yVq1HFr3oPpMyw9Ho1MwUTAdBgNVHQ4EFgQUUeP00OwiKp1UYhnCLWdPrH3rHsAw
HwYDVR0jBBgwFoAUUeP00OwiKp1UYhnCLWdPrH3rHsAwDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNIADBFAiBTb/Og4k+jqHS0nH7vzcFEv1fAtPkOJ3qgWH9s
Aqm1WgIhAJiTTpNYb2qMmHADfOvvx/07YbOEyD98wmTWcBgYJruy
-----END CERTIFICATE-----
`

const bounds = {
  timeoutMs: 600_000,
  limits: { cpus: 4, memoryBytes: 4 * 1024 ** 3, processes: 512 },
  network: 'bridge',
  images: [],
} as const

describe.skipIf(!here)('Images on real Docker', () => {
  let world: DockerWorld
  let runtime: string
  const made: string[] = []
  const names = new Set<string>()

  beforeAll(async () => {
    world = await DockerWorld.open(process.env, { images: ['beadloom-test/named:*'] })
    runtime = await world.runtimeImage()
  }, 600_000)
  afterAll(async () => {
    await world.close()
    for (const name of names) await world.removeImage(name)
    for (const image of [...new Set(made)].toReversed()) await world.removeImage(image)
    await world.removeImagesWith(`beadloom.test=${world.options.instance}`)
  })

  /** Labels images, so those of this test, and images on top of them, can be found at the end. */
  const labelled = (text: string): string => text.replace('\n', `\nLABEL beadloom.test=${world.options.instance}\n`)

  /** Gives an image a name: repositories name no image by its id. */
  const named = (image: string): string => {
    const name = `beadloom-test/named:${image.replace('sha256:', '').slice(0, 12)}`
    execFileSync('docker', ['tag', image, name])
    names.add(name)
    return name
  }

  /** An image on top of another, made by a server that trusts one more authority. */
  const trusting = async (certificate: string, name: string): Promise<string> => {
    const caBundle = `${world.options.caBundle ?? ''}${certificate}`
    const company = await DockerWorld.open(process.env, { caBundle, images: ['beadloom-test/named:*'] })
    const image = await company.engine.runtimeImage({ from: 'image', name: named(name) }, () => {}, never)
    made.push(image)
    await company.close()
    return image
  }

  /** An image made from a project's Dockerfile, with the agent added. */
  async function fromDockerfile(
    text: string,
    files: Record<string, string> = {},
    timeoutMs = 600_000,
  ): Promise<{ image: string; lines: string[] }> {
    const lines: string[] = []
    const context = async () =>
      tarOf(
        Object.entries({ ...files, 'ci/Dockerfile': labelled(text) }).map(([name, content]) => ({
          name,
          mode: 0o644,
          text: content,
        })),
      )
    const cacheKey = `${world.options.instance} ${text}`
    const image = await world.engine.runtimeImage(
      { from: 'dockerfile', path: 'ci/Dockerfile', context, cacheKey, ...bounds, timeoutMs },
      (line) => lines.push(line),
      never,
    )
    return { image, lines }
  }
  const failureOf = (work: Promise<unknown>): Promise<EngineError> =>
    work.then(
      () => Promise.reject(new Error('it was made')),
      (error: unknown) => (error instanceof EngineError ? error : Promise.reject(error)),
    )

  test('an existing image is found again silently', async () => {
    const lines: string[] = []
    expect(await world.engine.runtimeImage({ from: 'default' }, (line) => lines.push(line), never)).toBe(runtime)
    expect(lines).toEqual([])
  })

  test('the default base has the usual needs of projects: git, Node 24, npm, Python, ripgrep', async () => {
    const { id } = await world.create(
      runtime,
      `import { execSync } from 'node:child_process'
       console.log(execSync('git --version; node --version; npm --version; npx --version; python3 --version; rg --version | head -1; curl --version | head -1; patch --version | head -1; ps --version; which make unzip xz').toString())`,
    )
    const { stdout } = await world.run(id)
    for (const word of [
      'git version',
      'v24.',
      'Python 3',
      'ripgrep',
      'curl',
      'GNU patch',
      'procps',
      '/usr/bin/make',
      '/usr/bin/unzip',
      '/usr/bin/xz',
    ]) {
      expect(stdout.toString()).toContain(word)
    }
  })

  test('a Dockerfile of the project makes the base; its files, its PATH and its user are handled', async () => {
    const { image, lines } = await fromDockerfile(
      `FROM ${runtime}\nUSER root\nCOPY hello.txt /srv/hello.txt\nRUN mkdir /tools && printf '#!/bin/sh\\necho tool' > /tools/tool && chmod 755 /tools/tool\nENV PATH=/tools:$PATH\nUSER nobody\n`,
      { 'hello.txt': 'from the repository' },
    )
    expect(lines.join('\n')).toMatch(/building ci\/Dockerfile[\s\S]*COPY hello.txt/)
    const { id } = await world.create(
      image,
      `import { execSync } from 'node:child_process'; console.log(execSync('id -u; cat /srv/hello.txt; echo; tool').toString())`,
    )
    expect((await world.run(id)).stdout.toString().trim()).toBe('1000\nfrom the repository\ntool')
    await world.engine.remove(id)
  })

  test('a Dockerfile that fails is reported with its last lines', async () => {
    const failure = await failureOf(
      fromDockerfile(`FROM ${runtime}\nUSER root\nRUN echo "the compiler is missing" && exit 7\n`),
    )
    expect(failure.kind).toBe('image-build-failed')
    expect(failure.message).toMatch(/returned a non-zero code: 7[\s\S]*the compiler is missing/)
  })

  test('a missing Dockerfile is a clear error', async () => {
    const base = {
      from: 'dockerfile',
      path: 'nowhere/Dockerfile',
      context: async () => tarOf([{ name: 'a', mode: 0o644, text: '' }]),
      cacheKey: world.options.instance,
      ...bounds,
    } as const
    const failure = await failureOf(world.engine.runtimeImage(base, () => {}, never))
    expect(failure.message).toMatch(/nowhere\/Dockerfile/)
  })

  test('a Dockerfile that never ends is stopped, and reported', async () => {
    const endless = fromDockerfile(`FROM ${runtime}\nRUN while true; do sleep 1; done\n`, {}, 2000)
    const failure = await failureOf(endless)
    expect(failure).toMatchObject({ kind: 'image-build-failed' })
    expect(failure.message).toMatch(/^building ci\/Dockerfile did not end within 2 s: make it shorter, or raise/)
  })

  test('an image without git or without a libc for Node is refused with the missing part', async () => {
    const noGit = await failureOf(fromDockerfile(`FROM ${runtime}\nUSER root\nRUN rm /usr/bin/git\n`))
    expect(noGit.message).toMatch(/This image has no git\. Add it in the project's dockerfile/)
    const noNode = await failureOf(
      fromDockerfile(`FROM ${runtime}\nUSER root\nRUN rm /usr/lib/*-linux-gnu/libstdc++.so.6\n`),
    )
    expect(noNode.message).toMatch(/cannot run Beadloom's Node runtime/)
  })

  test('an image that no registry has is missing, with what to try', async () => {
    const base = { from: 'image', name: 'beadloom-tests/no-such:image' } as const
    const failure = await failureOf(world.engine.runtimeImage(base, () => {}, never))
    expect(failure.kind).toBe('image-missing')
    expect(failure.message).toMatch(/beadloom-tests\/no-such:image is not on this machine.*docker pull/)
  })

  test('a local image is used by its name', async () => {
    const { image } = await fromDockerfile(`FROM ${runtime}\nUSER root\nENV NAMED=1\n`)
    const again = await world.engine.runtimeImage({ from: 'image', name: named(image) }, () => {}, never)
    expect(again).not.toBe(image)
  })

  test('certificates of the host are trusted in every image, and known ones are not repeated', async () => {
    const caBundle = `${world.options.caBundle ?? ''}${COMPANY_CA}`
    const company = await DockerWorld.open(process.env, { caBundle, images: ['beadloom-test/named:*'] })
    const image = await company.engine.runtimeImage({ from: 'image', name: named(runtime) }, () => {}, never)
    made.push(image)
    const { id } = await company.create(
      image,
      `import fs from 'node:fs'
       const read = (path) => fs.readFileSync(path, 'utf8').match(/-----BEGIN[^]+?-----END/g)
       const ours = read(process.env.SSL_CERT_FILE), system = read('/etc/ssl/certs/ca-certificates.crt')
       console.log(JSON.stringify({ ours: ours.length, distinct: new Set(ours).size, system: system.length, found: ours.join().includes(${JSON.stringify(COMPANY_CA.split('\n')[1])}) }))`,
    )
    const { stdout } = await company.run(id)
    const seen = JSON.parse(stdout.toString())
    expect(seen).toEqual({ ours: seen.system, distinct: seen.ours, system: seen.ours, found: true })
    await company.close()
  })

  test('earlier certificates of an image stay in it when others are added', async () => {
    const image = await trusting(COMPANY_CA, runtime)
    const later = await trusting(OTHER_CA, image)
    const { id } = await world.create(
      later,
      `import fs from 'node:fs'
       const text = fs.readFileSync('/etc/ssl/certs/ca-certificates.crt', 'utf8')
       console.log(JSON.stringify(${JSON.stringify([COMPANY_CA, OTHER_CA].map((pem) => pem.split('\n')[4]))}.map((line) => text.includes(line))))`,
    )
    const { stdout } = await world.run(id)
    expect(JSON.parse(stdout.toString())).toEqual([true, true])
  })

  test('two callers who want the same image share one build, and one who leaves does not stop it', async () => {
    const text = `FROM ${runtime}\nUSER root\nRUN sleep 1\n`
    const context = async () => tarOf([{ name: 'Dockerfile', mode: 0o644, text: labelled(text) }])
    const base = {
      from: 'dockerfile',
      path: 'Dockerfile',
      context,
      cacheKey: `shared ${world.options.instance}`,
      ...bounds,
    } as const
    const leaver = new AbortController()
    const first: string[] = []
    const second: string[] = []
    const left = failureOf(world.engine.runtimeImage(base, (line) => first.push(line), leaver.signal))
    const stayed = world.engine.runtimeImage(base, (line) => second.push(line), never)
    await expect.poll(() => first.length).toBeGreaterThan(0)
    leaver.abort()
    expect((await left).message).toMatch(/stopped while an image was being built/)
    await stayed
    expect(second.filter((line) => line.startsWith('building Dockerfile'))).toHaveLength(1)
  })
})
