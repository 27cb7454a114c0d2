import { valueTaken } from './take-page-value.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/font.css'
import './ui/tokens.css'
import './ui/base.css'
import { ApiFailure, whenBusy } from './api/client.ts'
import { socketProtocols } from './api/page-value.ts'
import { getLogBlock, getLogMarks, getLogMeta, getLogStyle } from './api/endpoints.ts'
import { Feed } from './feed/feed.ts'
import { advanceTick, FeedProvider } from './feed/feed-context.tsx'
import { loadPagesAhead, router } from './router.tsx'
import { HintProvider } from './ui/hint.tsx'
import { installKeys } from './ui/keys/keys.ts'
import { whenIdle } from './ui/lazy-part.ts'
import { toast } from './ui/toast.tsx'
import type { Wire, WireEvents } from './feed/live-socket.ts'

/** The wiring: the only place with the real clock, chance and socket. */
const feed = new Feed({
  connect: (events) => openWire(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`, events),
  history: {
    block: getLogBlock,
    style: getLogStyle,
    marks: getLogMarks,
    meta: async (session, signal) => {
      try {
        return await getLogMeta(session, signal)
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null
        throw error
      }
    },
  },
  clock: {
    now: () => Date.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  },
  random: () => Math.random(),
  nextFrame: (run) => {
    if (document.hidden) setTimeout(run, 250) // nothing is painted, so there is no animation frame
    else requestAnimationFrame(run)
  },
})

installKeys(document)
advanceTick(feed, Date.now())
setInterval(() => advanceTick(feed, Date.now()), 1000)
whenBusy((sentence) => toast(sentence))

const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, retry: 1, refetchOnWindowFocus: false } },
})

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const page = createRoot(root)
// No request or socket starts with a value that may still be replaced.
void valueTaken.then(() => {
  document.addEventListener('visibilitychange', () => feed.visible(!document.hidden))
  addEventListener('online', () => feed.visible(!document.hidden))
  // A socket does not notice that the network is gone: a ping shows within seconds whether this one still works.
  addEventListener('offline', () => feed.visible(!document.hidden))
  addEventListener('pageshow', () => feed.visible(!document.hidden))
  feed.start()
  page.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <FeedProvider value={feed}>
          <HintProvider>
            <RouterProvider router={router} />
          </HintProvider>
        </FeedProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
})

whenIdle(() => void import('./ui/emoji-font.ts').catch(() => {})) // without it they look as the system draws them

/** Long enough for the first requests to be answered. */
const AHEAD_AFTER_MS = 3_000
setTimeout(() => whenIdle(() => void loadPagesAhead()), AHEAD_AFTER_MS)

/** A browser WebSocket as a wire. Our own close raises no event: the caller has already moved on. */
function openWire(url: string, events: WireEvents): Wire {
  const socket = new WebSocket(url, socketProtocols())
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', () => events.opened())
  socket.addEventListener('message', (message: MessageEvent<string | ArrayBuffer>) => {
    if (typeof message.data === 'string') events.text(message.data)
    else events.bytes(new Uint8Array(message.data))
  })
  socket.addEventListener('close', (event) => events.closed(event.code))
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: () => socket.close(),
  }
}
