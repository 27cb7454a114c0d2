import { defaultAddresses, type UpstreamSettings } from '../process/model-settings.ts'
import type { ServerSettings } from '../process/settings.ts'
import type { Upstreams } from './model-routing.ts'

/** The endpoints that the server's settings name. */
export function upstreamsOf({ models: { upstreams }, model }: ServerSettings): Upstreams {
  const { chat, responses, messages } = upstreams
  const openAi = (api: 'chat' | 'responses', { apiKey, baseUrl, keyVariable }: UpstreamSettings) =>
    apiKey === null && baseUrl === null
      ? null
      : { baseUrl: baseUrl ?? defaultAddresses[api], apiKey, keyVariable, model: model === 'scripted' ? null : model }
  return {
    upstream: openAi('chat', chat),
    responses: openAi('responses', responses),
    anthropic:
      messages.apiKey === null
        ? null
        : {
            baseUrl: messages.baseUrl ?? defaultAddresses.messages,
            apiKey: messages.apiKey,
            keyVariable: messages.keyVariable,
          },
    models: { chat: chat.models, responses: responses.models, messages: messages.models },
  }
}
