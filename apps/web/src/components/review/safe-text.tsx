import css from './safe-text.module.css'
import { textBlocks } from './plain-markdown.ts'
import { shown } from '../../ui/text/hostile-text.ts'

/** A stranger's text: paragraphs and code, with nothing that could act. */
export function SafeText({ text }: { text: string }) {
  return (
    <div className={css['text']}>
      {textBlocks(text).map((block, index) =>
        'code' in block ? (
          <pre key={index} tabIndex={0} role="group" aria-label="Code">
            {shown(block.code)}
          </pre>
        ) : (
          <p key={index}>
            {block.parts.map((part, at) =>
              part.code ? <code key={at}>{shown(part.text)}</code> : <span key={at}>{shown(part.text)}</span>,
            )}
          </p>
        ),
      )}
    </div>
  )
}
