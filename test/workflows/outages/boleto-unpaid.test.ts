import { endsAsWithoutOutages } from '../../support/lives/outages.ts';

endsAsWithoutOutages('a boleto that nobody pays');
