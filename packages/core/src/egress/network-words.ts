import type { NetworkAccess } from './network-access.ts'

const NETWORK = 'Network: '

/** Whether a paragraph of a prompt is the one about the network, which every agent gets. */
export const isNetworkText = (paragraph: string): boolean => paragraph.startsWith(NETWORK)

/** The paragraph of an agent's prompt about its network. */
export function networkText({ network, allow }: NetworkAccess): string {
  if (network === 'bridge') return `${NETWORK}this container has full access to the network.`
  if (allow.length === 0)
    return `${NETWORK}this container has none. Only git of this repository and the model can be reached; what is needed is installed already.`
  return `${NETWORK}only these hosts can be reached (ports 443 and 80 unless one is named): ${allow.join(', ')}. They are reached by the proxy in HTTP_PROXY and HTTPS_PROXY, which the usual tools use by themselves; anything else is refused. Names are not resolved in here.`
}
