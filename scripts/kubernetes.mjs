import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { aptInstall, has, root, run, say } from './run.mjs'

export const KUBERNETES_VERSION = '1.37.2'

/** The port of the tests' registry, as in test/kubernetes/cluster/env.sh. */
const PORT = 45080
const ACCOUNT = 'beadloom:for-tests'

/** Contains the program, the network's plugins, and the images that the nodes have pulled. */
const folder =
  process.env.KUBERNETES_ROOT ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'beadloom', `kubernetes-${KUBERNETES_VERSION}`)
const scripts = join(root, 'test', 'kubernetes', 'cluster')
const env = { ...process.env, KUBERNETES_ROOT: folder }

const script = (name, why, args = []) => run('bash', [join(scripts, name), ...args], { env, quiet: true, why })

/**
 * The parts of a real cluster of two nodes, built once into a cache outside of the checkout. Without Go, or without
 * root on Debian, there are none, and the tests that need them say so. The build takes a quarter of an hour or more.
 */
export async function ensureKubernetes() {
  if (isNamed()) return true
  const lacks = await lacking()
  if (lacks !== null) {
    say(`${lacks}: the tests that need a real cluster are skipped, unless KUBERNETES_CONFIG names one.`)
    return false
  }
  try {
    mkdirSync(folder, { recursive: true })
    if (!existsSync(join(folder, 'bin', 'hyperkube'))) {
      say(`Building Kubernetes ${KUBERNETES_VERSION} for the tests, once; this takes a quarter of an hour or more …`)
      await script('build.sh', `building Kubernetes ${KUBERNETES_VERSION}`)
    }
    if (!existsSync(join(folder, 'images', 'pause.tar'))) {
      if (!(await has('containerd'))) await aptInstall(['containerd', 'runc'], 'installing containerd')
      await script('packages.sh', 'unpacking what nodes need')
    }
    return true
  } catch (error) {
    say(`Kubernetes could not be built: ${error.message}`)
    return false
  }
}

/** The real Kueue, beside our own cluster: its quota makes pods wait. Built once too, in twenty minutes or more. */
export async function ensureKueue() {
  if (isNamed() || existsSync(join(folder, 'bin', 'kueue'))) return true
  if (!existsSync(join(folder, 'images', 'pause.tar'))) return false // there is no cluster; that was said already
  try {
    say('Building Kueue for the tests, once; this takes twenty minutes or more …')
    await script('kueue.sh', 'building Kueue', ['build'])
    return true
  } catch (error) {
    say(`Kueue could not be built: ${error.message}`)
    return false
  }
}

/** Whether the environment names another cluster, which we neither start nor end. */
const isNamed = () => Boolean(process.env.KUBERNETES_CONFIG)

async function lacking() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || process.getuid?.() !== 0 || !(await has('apt-get')))
    return 'A cluster of our own needs root on Debian (x64)'
  return (await has('go')) ? null : 'Go is not installed (https://go.dev/dl)'
}

/** Signs in, as `docker login` would, to the registry that the tests start (test/kubernetes/setup.ts). */
function signIn() {
  mkdirSync(join(folder, 'docker'), { recursive: true })
  const auth = Buffer.from(ACCOUNT).toString('base64')
  writeFileSync(join(folder, 'docker', 'config.json'), JSON.stringify({ auths: { [`127.0.0.1:${PORT}`]: { auth } } }))
}

/** Starts a cluster, runs the tests with it, and ends it. */
export async function withCluster(work) {
  if (isNamed() || !existsSync(join(folder, 'images', 'pause.tar'))) return work({})
  say('Starting a cluster of two nodes …')
  try {
    await script('up.sh', 'starting the cluster')
    signIn()
    if (existsSync(join(folder, 'bin', 'kueue'))) await script('kueue.sh', 'starting Kueue', ['up'])
    return await work({
      KUBERNETES_ROOT: folder,
      KUBERNETES_CONFIG: join(folder, 'pki', 'admin.conf'),
      KUBERNETES_NAMESPACE: 'beadloom',
      KUBERNETES_RUNTIME_CLASS: 'no-network',
      KUBERNETES_LOAD: `bash ${join(scripts, 'load.sh')}`,
      KUBERNETES_KILL: `bash ${join(scripts, 'node.sh')} kill "\${1#node}" "$2"`,
      KUBERNETES_REGISTRY: `127.0.0.1:${PORT}/beadloom`,
      DOCKER_CONFIG: join(folder, 'docker'),
      // The kubelet of the first node, which pods of both nodes reach.
      KUBERNETES_PROBE: '10.250.0.11:10250',
    })
  } finally {
    await script('kueue.sh', 'ending Kueue', ['down']).catch((error) => say(error.message))
    await script('down.sh', 'ending the cluster').catch((error) => say(error.message))
  }
}
