import { cardStylesheet } from './assets.ts';
import { html } from './html.ts';
import { type Phrase, say } from './language.ts';
import { renderLayout } from './layout.ts';

/** A page that only says what the payer can do now. */
export interface Notice {
  readonly title: Phrase;
  readonly text: Phrase;
}

const CHECK_ADDRESS = 'Confira se o endereço está completo ou peça um novo link a quem o enviou.' as const;

/** All notices. A missing charge and a charge of another kind get the same one, so that guessing reveals nothing. */
export const NOTICES = {
  noBoleto: { title: 'Boleto não encontrado', text: `Não há boleto neste endereço. ${CHECK_ADDRESS}` },
  noReceipt: {
    title: 'Comprovante não disponível',
    text: `O comprovante aparece neste endereço assim que o pagamento é confirmado: o Pix leva alguns segundos; o boleto, até um dia útil. Se você já pagou e ele não aparece, confira se o endereço está completo ou fale com quem recebeu o pagamento.`,
  },
  noCheckout: {
    title: 'Página de pagamento não encontrada',
    text: `Não há nada para pagar neste endereço. ${CHECK_ADDRESS}`,
  },
  noFile: {
    title: 'Arquivo não encontrado',
    text: `Não há arquivo para baixar neste endereço. ${CHECK_ADDRESS}`,
  },
  fileOutOfReach: {
    title: 'Não foi possível baixar o arquivo',
    text: 'O arquivo não está disponível agora. Seu pagamento está confirmado: tente de novo em alguns minutos ou fale com quem vendeu.',
  },
  otherSite: {
    title: 'Pagamento não iniciado',
    text: 'O pedido veio de outro site e foi recusado para proteger você. Abra o link de pagamento diretamente e tente de novo.',
  },
  badForm: {
    title: 'Formulário não entendido',
    text: 'Os dados enviados não são os desta página. Volte, recarregue a página e tente de novo.',
  },
  offerGone: {
    title: 'Oferta não disponível',
    text: 'Esta oferta não está mais disponível e nada foi cobrado por ela. O pagamento que você já fez continua confirmado.',
  },
  tooMany: {
    title: 'Muitos acessos em pouco tempo',
    text: 'Para proteger quem paga, esperamos um pouco antes de continuar. Nada foi cobrado por este pedido: tente de novo em alguns minutos.',
  },
  noPage: { title: 'Página não encontrada', text: `Não há nada neste endereço. ${CHECK_ADDRESS}` },
  failed: {
    title: 'Não foi possível abrir a página',
    text: 'O problema é nosso e nada foi perdido. Tente de novo em alguns instantes.',
  },
} as const satisfies Record<string, Notice>;

/** A complete HTML document, to be sent with `pageSecurityHeaders`. */
export function renderNoticePage({ title, text }: Notice): string {
  return renderLayout({
    title: say(title),
    stylesheets: [cardStylesheet],
    devModeNotice: null,
    body: html`<main class="card">
<h1 class="card__title">${say(title)}</h1>
<p class="card__text">${say(text)}</p>
</main>`,
  });
}
