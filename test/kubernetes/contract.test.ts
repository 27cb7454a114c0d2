import { describe } from 'vitest'
import { engineContract } from '../contract/engine-contract.ts'
import { openKubernetes } from '../contract/kubernetes-under-test.ts'
import { killOnNode, missingCluster, withoutNetwork } from './cluster.ts'

const noImages = 'a pod cannot become an image: what others start from is made where Docker is'
const noServices = 'services are not there on Kubernetes yet'

const lacks = {
  'what is asked for is limited, or it is said which limits do not act':
    'how many processes a pod may have is set on its node, and cannot be seen from inside',
  'what a session leaves is kept: others start like it, and it stays as it was when they change it': noImages,
  'what was kept is listed with its size, stays while a sandbox is made of it, and goes when it is removed': noImages,
  'is its own workspace, home and /tmp, and nothing of the host but those who answer it':
    'a pod without a network has an interface all the same',
  'is reached by the sessions of its sandbox, and by no other sandbox': noServices,
  'is listed with its owner, and known to the next server with all that it has printed': noServices,
  'ends by itself with its exit code, and is ready no more': noServices,
  'has an image that is there, or cannot be had': noServices,
}

describe.skipIf(missingCluster !== null)('Kubernetes', () => {
  engineContract(() => openKubernetes(withoutNetwork, killOnNode), lacks)
})
