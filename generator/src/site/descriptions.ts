/** Renders descriptions (CommonMark) for pages. */
export type Descriptions = {
  /** Renders the whole text as HTML. Escapes HTML in the text; links may only lead to web or mail addresses. */
  html(text: string): string;
  /** Renders a single short paragraph as inline HTML; undefined for other texts. */
  line(text: string): string | undefined;
  /** Renders a text of any length as inline HTML, without paragraphs. */
  inline(text: string): string;
  /** Returns the first paragraph as plain text; if it is long, only its first sentence or first words. */
  brief(text: string): string;
};

const longestLine = 140;

/** Loads the CommonMark parser on demand, because only the site needs it. */
export async function createDescriptions(): Promise<Descriptions> {
  const { default: createReader } = await import('markdown-it');
  const reader = createReader('commonmark', { html: false });
  reader.disable('image');
  reader.validateLink = (url) => /^(?:https?:|mailto:)/i.test(url);
  // Print headings in a description as bold paragraphs, so that they don't appear among the headings of the page.
  reader.renderer.rules['heading_open'] = () => '<p><strong>';
  reader.renderer.rules['heading_close'] = () => '</strong></p>\n';
  reader.renderer.rules['link_open'] = (tokens, index, options, _, self) => {
    tokens[index]?.attrSet('rel', 'noreferrer noopener');
    return self.renderToken(tokens, index, options);
  };
  return {
    html: (text) => reader.render(text).trim(),
    line(text) {
      const blocks = reader
        .parse(text, {})
        .filter(({ type }) => type !== 'paragraph_open' && type !== 'paragraph_close');
      const isLine = blocks.length <= 1 && blocks.every(({ type }) => type === 'inline') && text.length <= longestLine;
      return isLine ? reader.renderInline(text.trim()) : undefined;
    },
    inline: (text) => reader.renderInline(text),
    brief(text) {
      const first = reader.parse(text, {}).find(({ type }) => type === 'inline');
      const words = (first?.children ?? []).map(({ type, content }) => (/break$/.test(type) ? ' ' : content));
      const plain = (first === undefined ? text : words.join('')).replace(/\s+/g, ' ').trim();
      if (plain.length <= longestLine) return plain;
      const [sentence] = /^.{20,}?[.!?](?=\s)/.exec(plain) ?? [];
      if (sentence !== undefined && sentence.length <= longestLine) return sentence;
      const end = plain.lastIndexOf(' ', longestLine);
      return `${plain.slice(0, end > 0 ? end : longestLine).toWellFormed()} …`;
    },
  };
}
