import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './hint.module.css'

/** A short text on hover and focus. The child must be one focusable element. */
export function Hint({ text, keys, children }: { text: string; keys?: string | undefined; children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className={css['hint']} sideOffset={4} collisionPadding={8}>
          {text}
          {keys && <kbd>{keys}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

export const HintProvider = ({ children }: { children: ReactNode }) => (
  <Tooltip.Provider delayDuration={400}>{children}</Tooltip.Provider>
)
