// The search finds words that begin as the query does. Without its ending a word of the query finds its other forms too:
// "удары" finds "ударом", "simulating" finds "simulation".
{
  const ENDINGS = {
    ru: /([а-яё]{3,}?)(?:[ыи]?ми|ями|ами|[ое]го|[ое]му|[аеиоуыюя][йхм]|[ое]в|[аеоуыюя][ея]|ую|юю|[аеёиоуыьюя])?(?![а-яё])/giu,
    en: /\b([a-z]{4,}?)(?:ations?|ating|ates?|ated|ions?|ing|ed|es|e|s)?\b/gi,
  };
  const QUERY = 2; // the type of the messages that ask; the first brings the index
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.type === QUERY && !message.data.includes('"')) {
      const data = message.data.replace(ENDINGS.ru, "$1").replace(ENDINGS.en, "$1");
      return send.call(this, { ...message, data }, ...rest);
    }
    return send.call(this, message, ...rest);
  };
}
