import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe } from 'vitest'
import { engineContract } from '../contract/engine-contract.ts'
import { openKubernetes } from '../contract/kubernetes-under-test.ts'

const root = process.env['K8S_ROOT'] ?? ''
const run = async (...[program, ...args]: [string, ...string[]]) => (await promisify(execFile)(program, args)).stdout
const kubectl = (...args: string[]) =>
  run(`${root}/bin/kubectl`, '--kubeconfig', `${root}/pki/admin.conf`, '--namespace', 'agents', ...args)
const ctr = (node: string) => ['ctr', '--address', `${root}/${node}/c.sock`, '--namespace', 'k8s.io'] as const

async function kill(pod: string): Promise<void> {
  const status = `{.spec.nodeName} {.status.initContainerStatuses[?(@.name=="sandbox")].containerID}`
  const [node = '', container = ''] = (await kubectl('get', 'pod', pod, '--output', `jsonpath=${status}`)).split(' ')
  await run(...ctr(node), 'task', 'kill', '--signal', 'SIGKILL', container.replace('containerd://', ''))
}

const load = `cat > /tmp/bl-image-$$; for n in 1 2; do ctr --address ${root}/node$n/c.sock --namespace k8s.io images import /tmp/bl-image-$$ || exit 1; done; rm /tmp/bl-image-$$`

const noImages = 'a pod cannot become an image: what others start from is made where Docker is'
const noServices = 'services are not there on Kubernetes yet'

describe.skipIf(root === '')('Kubernetes', () => {
  engineContract(
    () =>
      openKubernetes(
        {
          kubeconfig: `${root}/pki/admin.conf`,
          namespace: 'agents',
          runtimeClass: 'nonet',
          images: { load: ['/bin/sh', '-c', load] },
          cpuRequest: 0.1,
        },
        kill,
      ),
    {
      'what is asked for is limited, or it is said which limits do not act':
        'how many processes a pod may have is set on its node',
      'what a session leaves is kept: others start like it, and it stays as it was when they change it': noImages,
      'what was kept is listed with its size, stays while a sandbox is made of it, and goes when it is removed':
        noImages,
      'is its own workspace, home and /tmp, and nothing of the host but those who answer it':
        'a pod without a network has an interface all the same',
      'is reached by the sessions of its sandbox, and by no other sandbox': noServices,
      'is listed with its owner, and known to the next server with all that it has printed': noServices,
      'ends by itself with its exit code, and is ready no more': noServices,
      'has an image that is there, or cannot be had': noServices,
    },
  )
})
